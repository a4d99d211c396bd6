// SPDX-License-Identifier: MIT
//
// Golden cases of value change dumps.

/** @typedef {import('./golden-cases.mjs').GoldenCase} GoldenCase */

/** @param {string} name @param {string} proves @param {string} dump @param {Record<string, string>} [options] @returns {GoldenCase} */
const one = (name, proves, dump, options) => ({
  name,
  proves,
  options,
  inputs: { 'input.bin': { bytes: () => Buffer.from(dump) } },
});

const HEAD = '$date today $end\n$version by hand $end\n$timescale 1ns $end\n';

const VARS = `$scope module top $end
$var wire 1 ! clk $end
$var reg 8 " bus [7:0] $end
$var integer 32 # i $end
$var real 64 $ r $end
$var time 64 % t $end
$var string 1 & s $end
$var event 1 ' e $end
$scope module sub $end
$var wire 1 ! clock $end
$upscope $end
$upscope $end
$enddefinitions $end
`;

const CHANGES = `#0
$dumpvars
0!
bx "
b11111111111111111111111111111011 #
r0.5 $
b0 %
sidle &
$end
#10
1!
b10100101 "
#20
0!
b1x "
b101 #
r-1.25e3 $
srunning &
1'
#30
bz "
r1e400 $
#40
`;

/** @type {GoldenCase[]} */
export const VCD = [
  one(
    'variables-of-all-types',
    'Wires and registers are logic tracks, numbers are counters, texts slices, events instants; a track shows the second name of its wire.',
    HEAD + VARS + CHANGES,
  ),
  one(
    'dumpoff-and-dumpon',
    'Between $dumpoff and $dumpon no signal has a value: a gap; a counter shows 0; a text shows "none".',
    `${HEAD}${VARS}#0\n1!\nb1 "\nb1 #\n#10\n$dumpoff\nx!\nbx "\nbx #\n$end\n#20\n$dumpon\n0!\nb11 "\nb10 #\n$end\n#30\n1!\n`,
  ),
  one(
    'sub-nanosecond-times',
    'Times below a nanosecond are shown multiplied by 1000, and the root track contains a note.',
    `$timescale 10 ps $end\n${VARS}#0\n1!\n#3\n0!\n#107\n1!\n`,
  ),
  one(
    'sub-nanosecond-times-rounded',
    'With the option for real times, changes that fall into one nanosecond are counted.',
    `$timescale 10 ps $end\n${VARS}#0\n1!\n#3\n0!\n#107\n1!\n`,
    { 'time-scale': 'real' },
  ),
  one(
    'timescale-changes',
    'A second time unit in the middle counts from the same zero: multiplied times stay multiplied, and comparisons use real times.',
    `$timescale 10 ps $end\n${VARS}#0\n1!\n#3\n0!\n$timescale 1 ns $end\n#1\n1!\n#2\n0!\n$timescale 100 ps $end\n#5\n1!\n#25\n1!\n`,
  ),
  one(
    'whole-nanoseconds-in-picoseconds',
    'A fine unit whose times are all whole nanoseconds changes nothing.',
    `$timescale 1 ps $end\n${VARS}#0\n1!\n#3000\n0!\n#5000\n1!\n`,
  ),
  one(
    'unusual-whitespace-and-case',
    'Blanks between value and code, commands in one line, comments, capital letters, names with blanks in their range.',
    `$comment any #1 1! $end $timescale 1\n us $end $scope module a b $end $var reg 4 !! v [3 : 0] $end $upscope $end $enddefinitions $end #1 B1Z0X !! #2 1 !! #3 b0 !!`,
  ),
  one(
    'range-split-into-words',
    'Each part of a range may be a separate word.',
    `${HEAD}$var reg 8 ! bus [ 7 : 0 ] $end $var reg 8 " bus [ 15 : 8 ] $end $enddefinitions $end\n#0\nb1 !\nb10 "\n#5\n`,
  ),
  one(
    'identifier-codes-of-any-bytes',
    'A damaged identifier code never matches another signal.',
    `${HEAD}$var wire 1 !! a $end $enddefinitions $end\n#0\n1!!\n#5\n0\x7f\n#9\n`,
  ),
  one(
    'small-and-large-reals',
    'The smallest doubles are not rounded to 0, and each number is rounded once.',
    `${HEAD}$var real 64 ! r $end $enddefinitions $end\n#0\nr2.2250738585072014e-308 !\n#1\nr1e-310 !\n#2\nr1.7976931348623157e308 !\n#3\nr-1e-400 !\n#4\n` +
      'r2.2250738585072011e-308 !\n#5\nr1.11256159659523e-308 !\n#6\nr7.4109846876186981e-324 !\n#7\nr-2.4703282292062328e-324 !\n#8\nr2.4703282292062327e-324 !\n#9\n',
  ),
  one(
    'escaped-names-and-texts',
    "Verilog's escaped identifiers, with and without a backslash at their end, blanks as \\x20 and \\040 in names, and escapes in texts.",
    `${HEAD}$scope module two\\x20words $end $var wire 1 ! \\a.b[1]\\ $end $var wire 8 " \\c-d [7:0] $end $var wire 1 # e\\040f $end $var string 1 $ s $end $upscope $end $enddefinitions $end\n` +
      '#0\n1!\nb101 "\n1#\nsone\\x20two\\040three\\\\four\\nfive $\n#10\n0!\ns\\x2 $\n#20\ns\\400\\0\\q\\ $\n#30\n',
  ),
  one(
    'vector-bit-by-bit',
    'Bits of one vector that are declared one by one are joined: one track for the vector, with its bits below. Changes at one time are one value.',
    `${HEAD}$scope module top $end\n${[0, 1, 2, 3].map((bit) => `$var wire 1 ${'!"#$'[bit]} bus [${bit}] $end\n`).join('')}$var wire 1 % alone[7] $end\n$upscope $end\n$enddefinitions $end\n` +
      '#0\n0!\n0"\nx#\n1%\n#5\n1!\n1"\n0#\n0$\n#9\n0!\n1$\n#12\n$dumpoff\nx!\n$end\n#15\n$dumpon\n0!\n1"\n0#\nz$\n0%\n$end\n#20\n',
  ),
  one(
    'dumpall-repeats-values',
    '$dumpall and $dumpon repeat values: a constant value keeps one slice, also one of many bits. A change to the same value outside of them starts a new slice.',
    `${HEAD}${VARS.replace('$scope module sub', '$var wire 200 ( wide $end\n$scope module sub')}#0\n1!\nb101 "\nsidle &\nb${'10'.repeat(100)} (\n#10\n$dumpall\n1!\nb101 "\nsidle &\nb${'10'.repeat(100)} (\n$end\n` +
      `#20\n$dumpon\n0!\nb101 "\nsbusy &\nb${'10'.repeat(99)}11 (\n$end\n#30\nb101 "\n#40\n`,
  ),
  one('chosen-signals', 'The option "signals" selects by path; any name of a signal matches.', HEAD + VARS + CHANGES, {
    signals: 'top/sub/* , *bus',
  }),
  one(
    'damaged',
    'Unknown words and codes are counted, falling times are skipped, a truncated value is reported.',
    `${HEAD}${VARS}#0\n1!\n#10\n0!\nhello\n1?\n#5\n1!\nbq "\n#x\n#20\nb1010`,
  ),
  one(
    'truncated-in-time',
    'The last digits of a time are missing: this is not a time that runs backwards.',
    `${HEAD}${VARS}#0\n1!\n#990\n0!\n#1000\n1!\n#10`,
  ),
  one(
    'truncated-in-identifier-code',
    'A value with a truncated code belongs to no signal.',
    `${HEAD}$var wire 1 !! a $end $var wire 1 !" b $end $enddefinitions $end\n#0\n1!!\n#5\n0!`,
  ),
  one(
    'time-far-ahead',
    'A damaged time, far ahead or back, costs only itself: later times are kept. A pause is kept, also before the last time; an identifier code like a time is not a time.',
    `${HEAD}${VARS.replace('reg 8 "', 'reg 8 #5')}#0\n1!\n#10\n0!\n#9000020\n1!\nb101 #5\n#30\n0!\n#40\n1!\n#5000\n0!\nb1 #5\n#410\n1!\n#5010\n0!\n#5020\n1!\n#900\n0!\n#5040\n1!\n#777000\n`,
  ),
  one(
    'numbers-in-comments',
    'Numbers like times in a comment, or as codes in a definition, do not affect the times around them; a time on a line of its own ends a comment whose end is missing.',
    `${HEAD}${VARS}#0\n1!\n#10\n0!\n#5000\n$comment not before #11 or #12 $end\n1!\n#5010\n0!\n#9000\n$var wire 1 #11 a $end\n$var wire 1 #12 b $end\n1!\n#9010\n0!\n` +
      `#700000\n$comment damaged\n1!\n#9020\n0!\n#9030\n1!\n`,
  ),
  one(
    'alternating-times',
    'Times alternate between two time lines: after a few, the decoder skips those of the line that is ahead.',
    `${HEAD}${VARS}#0\n1!\n#10\n0!\n${'#1000\n1!\n#11\n0!\n'.repeat(12)}#1000\n1!\n`,
  ),
  one(
    'times-out-of-range',
    'A time with too many digits, or 146 years away, is reported and costs only itself; a valid one of 19 digits is kept, and so is one with leading zeros.',
    `${HEAD}${VARS}#0\n1!\n#10\n0!\n#99999999999999999999\n1!\n#${'0'.repeat(30)}20\n0!\n#4611686018427387904\n1!\n#1000000000000000000\n0!\n#9223372036854775807\n1!\n`,
  ),
  one(
    'unterminated-comments',
    'A comment without an end ends where a line begins with a command, a time or a change: the changes after it are kept. Such words within a line, or indented, are text.',
    `$comment by hand\n${HEAD}$comment 1! #7 $var wire\n  $scope\n  #5\n$scope module top $end\n$var wire 1 ! clk $end\n$var reg 8 " bus [7:0] $end\n$upscope $end\n$enddefinitions $end\n#0\n1!\n` +
      `$comment at zero\n#10\n0!\n$comment #500 in\nthe #600\n1? 7\n1!\n#20\n0!\n$comment here\nb101 "\n1!\n$comment good\n #21\nb102 "\n#2x\n1 !\nx? $end\n#30\n0!\n$version 2\n#40\n1!\n$timescale 1 ns\n#50\n0!\n$comment the end\n1!`,
  ),
  one(
    'problem-before-the-scale',
    'What comes before the decision about the scale has no time in seconds, in chunks of any size.',
    `$timescale 1ps $end\n$comment by hand\n$scope module top $end\n$var wire 1 ! clk $end\n$upscope $end\n$enddefinitions $end\n#0\n1!\n#1500\n0!\n`,
  ),
  one(
    'problem-before-the-scale-in-a-range',
    'The end of a time range is a true time, also if something was drawn before the scale was known.',
    `$timescale 1ps $end\n$comment by hand\n$scope module top $end\n$var wire 1 ! clk $end\n$upscope $end\n$enddefinitions $end\n#0\n1!\n#1500\n0!\n#2500\n1!\n`,
    { 'to-ns': '2' },
  ),
  one(
    'comment-line-like-a-command',
    'A comment line among the definitions may begin like a command that comes after them.',
    `${HEAD}$comment the commands\n$dumpvars and\n$dumpoff are used below $end\n$var wire 1 ! clk $end\n$enddefinitions $end\n#0\n1!\n#5\n0!\n`,
  ),
  one(
    'repeated-definitions',
    'Further definitions do not change how times are shown: earlier changes keep their times.',
    `$timescale 1 ps $end\n${VARS}#0\n1!\n#3000\n0!\n#5000\n1!\n$timescale 1 ps $end\n$enddefinitions $end\n#7001\n0!\n#9000\n1!\n`,
  ),
  one(
    'numbers-of-63-and-64-bits',
    'The widest numbers, signed and unsigned.',
    `${HEAD}$var wire 63 ! a $end $var wire 64 " b $end $enddefinitions $end\n#0\nb1${'0'.repeat(62)} !\nb1${'0'.repeat(63)} "\n#5\nb${'1'.repeat(63)} !\nb${'1'.repeat(64)} "\n#9\nb${'01'.repeat(31)}0 !\nb0 "\n`,
  ),
  one(
    'wide-vectors',
    'More than 64 bits: a short name; all states are a detail if some are unknown.',
    `${HEAD}$var wire 100 ! w $end $enddefinitions $end\n#0\nb${'10'.repeat(50)} !\n#5\nb1${'x'.repeat(99)} !\n#9\nb1 !\n`,
  ),
];
