// SPDX-License-Identifier: MIT
// Names of C++: namespaces, templates, operators, lambdas, local classes, conversions, constructors.
#include "steps.h"

#define NOINLINE __attribute__((noinline))

extern "C" volatile int sink;

namespace shapes {
namespace {

template <typename T> NOINLINE T clamp(T value, T low, T high) { return value < low ? low : value > high ? high : value; }

struct Point {
    int x, y;
    NOINLINE Point(int a, int b) : x(a), y(step_up(b, a)) {}
    NOINLINE Point operator+(const Point &other) const { return Point(x + other.x, y + other.y); }
    NOINLINE bool operator<(const Point &other) const { return x * y < other.x * other.y; }
    NOINLINE Point &operator<<=(int by) {
        x <<= by;
        y <<= by;
        return *this;
    }
    NOINLINE int operator()(int by) const { return x * by - y; }
    NOINLINE int operator[](int which) const { return which ? y : x; }
    NOINLINE explicit operator int() const { return x ^ y; }
};

NOINLINE int process(int value) { return step_down(value, 40) * 3; }

} // namespace

template <int N, typename T> struct Filter {
    static NOINLINE T step(T value) { return value * N + Filter<N - 1, T>::step(value >> 1); }
    template <typename F> NOINLINE T apply(F function, T value) const { return function(value) + N; }
};
template <typename T> struct Filter<0, T> {
    static NOINLINE T step(T value) { return value ^ 0x55; }
};

enum class Colour { red, green };

// Template arguments of every kind: packs, values, enumerators, functions, members, templates.
template <typename... T> NOINLINE int total(T... values) { return (static_cast<int>(values) + ... + sink); }
template <bool B, char C, unsigned long long U, Colour K> NOINLINE int constants(int value) {
    return B ? value + C : value - static_cast<int>(U) + static_cast<int>(K);
}
template <int (*F)(int)> NOINLINE int call(int value) { return F(value) + sink; }
template <int (Point::*M)(int) const> NOINLINE int call_member(const Point &point) { return (point.*M)(sink); }
template <template <int, typename> class T> NOINLINE int step_of(int value) { return T<2, int>::step(value) + sink; }
template <typename T, int N> NOINLINE int sum(T (&values)[N]) {
    int result = sink;
    for (T value : values) result += static_cast<int>(value);
    return result;
}
template <typename T> NOINLINE auto twice(T value) -> decltype(value + value) { return value + value + sink; }
template <typename T> NOINLINE int size_of(T) { return sizeof(T) + sink; }

class Shape {
  public:
    virtual int area(int scale) const = 0;
    virtual ~Shape() {}
    static int count;
};
int Shape::count;

class Square final : public Shape {
  public:
    explicit Square(int side) : side_(side) { count++; }
    int area(int scale) const override { return side_ * side_ * scale; }

  private:
    int side_;
};

NOINLINE int measure(const Shape &shape, int scale) { return shape.area(scale); }
NOINLINE int measure(const Point &point) { return point(2) + point[1] + static_cast<int>(point); }

NOINLINE int run(int value) {
    struct Local {
        NOINLINE static int twice(int x) { return x * 2 + sink; }
    };
    auto lambda = [value](int x) NOINLINE { return x * value + process(x); };
    Point a(value, 3), b(4, value);
    Point c = a + b;
    c <<= 2;
    if (a < b) sink = measure(c);
    Square square(value);
    auto generic = [](auto x) NOINLINE { return static_cast<int>(x) + sink; };
    int some[3] = { value, 2, 3 };
    sink = total(value, 2L, 'c') + total() + constants<true, 'x', 5, Colour::green>(value) + constants<false, 0, 1, Colour::red>(value);
    sink = call<process>(value) + call_member<&Point::operator()>(a) + step_of<Filter>(value) + sum(some) + twice(value) + generic(value) + generic(2L);
    sink = size_of<int (*)(int)>(process) + size_of<int Point::*>(&Point::x) + size_of<const volatile int *>(&value) + size_of<const char *const *>(nullptr);
    return lambda(Local::twice(value)) + measure(square, 3) + clamp<int>(value, 1, 9) + static_cast<int>(clamp<long long>(value, -5, 5)) + Filter<40, int>::step(value) +
           static_cast<int>(Filter<30, long long>::step(value)) + Filter<3, int>().apply(lambda, value);
}

} // namespace shapes

extern "C" int shapes_all(int value) { return shapes::run(value) + shapes::run(value + 1); }
void operator delete(void *, decltype(sizeof 0)) {}
extern "C" void __cxa_pure_virtual() { for (;;) {} }
