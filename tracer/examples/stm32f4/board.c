/* SPDX-License-Identifier: MIT */
#include "board.h"

/* Names and bits as in the reference manual RM0090. */
#define RCC_CR REGISTER(0x40023800u)
#define RCC_PLLCFGR REGISTER(0x40023804u)
#define RCC_CFGR REGISTER(0x40023808u)
#define RCC_AHB1ENR REGISTER(0x40023830u)
#define RCC_APB1ENR REGISTER(0x40023840u)
#define RCC_APB2ENR REGISTER(0x40023844u)
#define FLASH_ACR REGISTER(0x40023C00u)
#define GPIOA_MODER REGISTER(0x40020000u)
#define GPIOA_AFRH REGISTER(0x40020024u)
#define USART1_SR REGISTER(0x40011000u)
#define USART1_DR REGISTER(0x40011004u)
#define USART1_BRR REGISTER(0x40011008u)
#define USART1_CR1 REGISTER(0x4001100Cu)
#define USART1_CR3 REGISTER(0x40011014u)
#define TIM2_CR1 REGISTER(0x40000000u)
#define TIM2_EGR REGISTER(0x40000014u)
#define TIM2_PSC REGISTER(0x40000028u)
#define TIM2_ARR REGISTER(0x4000002Cu)
#define DMA2_HIFCR REGISTER(0x4002640Cu)
#define DMA2_S7CR REGISTER(0x400264B8u)
#define DMA2_S7NDTR REGISTER(0x400264BCu)
#define DMA2_S7PAR REGISTER(0x400264C0u)
#define DMA2_S7M0AR REGISTER(0x400264C4u)
#define SCB_CPACR REGISTER(0xE000ED88u)
#define NVIC_ISER2 REGISTER(0xE000E108u)

enum { BAUD = 921600, DMA2_STREAM7_INTERRUPT = 70 };
enum { PLL_ON = 1 << 24, PLL_READY = 1 << 25, FROM_PLL = 2, IS_FROM_PLL = 2 << 2, TXE = 1 << 7 };

extern uint32_t stack_end[], data_from[], data_begin[], data_end[], bss_begin[], bss_end[];
int main(void);

/* The wait has a limit: the emulator has no clock control, and on a board whose clock does not start a slow program
 * is better than none. */
static void wait_for(volatile uint32_t *where, uint32_t bits) {
    for (uint32_t tries = 100000; tries && (*where & bits) != bits; tries--) {}
}

/* 16 MHz / 16 * 336 / 2; buses at 42 and 84 MHz. */
static void start_clock(void) {
    FLASH_ACR = 0x705; /* five wait states, caches */
    RCC_PLLCFGR = 16 | 336 << 6 | 7 << 24;
    RCC_CR |= PLL_ON;
    wait_for(&RCC_CR, PLL_READY);
    RCC_CFGR = 5 << 10 | 4 << 13 | FROM_PLL;
    wait_for(&RCC_CFGR, IS_FROM_PLL);
}

static void start_timer(void) {
    RCC_APB1ENR |= 1;
    TIM2_PSC = TIMER_HZ / (1000000000 / NS_PER_TICK) - 1;
    TIM2_ARR = 0xFFFFFFFFu;
    TIM2_EGR = 1;
    TIM2_CR1 = 1;
}

static void start_usart(void) {
    RCC_AHB1ENR |= 1 | 1 << 22;
    RCC_APB2ENR |= 1 << 4;
    GPIOA_MODER = (GPIOA_MODER & ~(3u << 18)) | 2u << 18; /* PA9: alternate function */
    GPIOA_AFRH = (GPIOA_AFRH & ~0xF0u) | 0x70u;           /* alternate function 7 */
    USART1_BRR = (USART_HZ + BAUD / 2) / BAUD;
    USART1_CR1 = 1 << 13 | 1 << 3;
}

void board_write(const uint8_t *bytes, size_t len) {
    while (len--) {
        while (!(USART1_SR & TXE)) {}
        USART1_DR = *bytes++;
    }
}

void board_begin_write(const uint8_t *bytes, size_t len) {
    USART1_CR3 = 1 << 7;
    NVIC_ISER2 = 1u << (DMA2_STREAM7_INTERRUPT - 64);
    DMA2_S7PAR = (uint32_t)&USART1_DR;
    DMA2_S7M0AR = (uint32_t)bytes;
    DMA2_S7NDTR = (uint32_t)len;
    DMA2_S7CR = 4u << 25 | 1 << 10 | 1 << 6 | 1 << 4 | 1; /* channel 4, memory counts up, to the peripheral, interrupt
                                                             at the end */
}

__attribute__((weak)) void board_written(void) {}

static void dma_done(void) {
    DMA2_HIFCR = 0x0F400000u;
    board_written();
}

static void reset(void) {
    uint32_t *from = data_from;
    SCB_CPACR |= 0xFu << 20; /* enables the FPU before compiled code uses it */
    __asm__ volatile("dsb\n\tisb" : : : "memory");
    for (uint32_t *to = data_begin; to < data_end;) *to++ = *from++;
    for (uint32_t *to = bss_begin; to < bss_end;) *to++ = 0;
    start_clock();
    start_timer();
    start_usart();
    main();
    board_stop(__LINE__);
}

void board_stop(uint32_t line) {
    (void)line; /* for a debugger */
    for (;;) {}
}

static void fault(void) { board_stop(__LINE__); }

__attribute__((section(".vectors"), used)) static void *const vectors[16 + DMA2_STREAM7_INTERRUPT + 1] = {
    stack_end,
    (void *)reset,
    (void *)fault,
    (void *)fault,
    (void *)fault,
    (void *)fault,
    (void *)fault,
    [11] = (void *)SVC_Handler,
    [14] = (void *)PendSV_Handler,
    [15] = (void *)SysTick_Handler,
    [16 + DMA2_STREAM7_INTERRUPT] = (void *)dma_done,
};
