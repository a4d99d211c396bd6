// SPDX-License-Identifier: MIT
//
// Golden cases of value change dumps.

/** @typedef {import('./golden-cases.mjs').GoldenCase} GoldenCase */

/** @param {string} name @param {string} proves @param {string} dump @param {Record<string, string>} [options] @returns {GoldenCase} */
const one = (name, proves, dump, options) => ({ name, proves, options, inputs: { 'input.bin': { bytes: () => Buffer.from(dump) } } });

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
  one('variables-of-all-types', 'Wires and registers are logic, numbers counters, texts slices, events instants; a second name of a wire is told on its track.', HEAD + VARS + CHANGES),
  one('dump-is-switched-off', 'Between $dumpoff and $dumpon there is a gap.', `${HEAD}${VARS}#0\n1!\nb1 "\nb1 #\n#10\n$dumpoff\nx!\nbx "\nbx #\n$end\n#20\n$dumpon\n0!\nb11 "\nb10 #\n$end\n#30\n1!\n`),
  one('below-a-nanosecond', 'Where it is needed times are shown 1000 times as long, and the root says so.', `$timescale 10 ps $end\n${VARS}#0\n1!\n#3\n0!\n#107\n1!\n`),
  one('below-a-nanosecond-rounded', 'With real times changes that share a nanosecond are counted.', `$timescale 10 ps $end\n${VARS}#0\n1!\n#3\n0!\n#107\n1!\n`, { 'time-scale': 'real' }),
  one('unit-changes', 'Another unit in the middle counts from the same zero: stretched times stay stretched, and times compare as times.',
    `$timescale 10 ps $end\n${VARS}#0\n1!\n#3\n0!\n$timescale 1 ns $end\n#1\n1!\n#2\n0!\n$timescale 100 ps $end\n#5\n1!\n#25\n1!\n`),
  one('whole-nanoseconds-in-picoseconds', 'A fine unit that is not needed changes nothing.', `$timescale 1 ps $end\n${VARS}#0\n1!\n#3000\n0!\n#5000\n1!\n`),
  one('odd-writing', 'Blanks between value and code, commands in one line, comments, capital letters, names with blanks in their range.',
    `$comment any #1 1! $end $timescale 1\n us $end $scope module a b $end $var reg 4 !! v [3 : 0] $end $upscope $end $enddefinitions $end #1 B1Z0X !! #2 1 !! #3 b0 !!`),
  one('damaged', 'Unknown words and codes are counted, times that fall back are left out, a cut value is told.', `${HEAD}${VARS}#0\n1!\n#10\n0!\nhello\n1?\n#5\n1!\nbq "\n#x\n#20\nb1010`),
  one('wide-vectors', 'More than 64 bits: a short name, all states as a detail where some are unknown.', `${HEAD}$var wire 100 ! w $end $enddefinitions $end\n#0\nb${'10'.repeat(50)} !\n#5\nb1${'x'.repeat(99)} !\n#9\nb1 !\n`),
];
