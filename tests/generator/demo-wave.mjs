// SPDX-License-Identifier: MIT
//
// Demo of a value change dump: a serial transmitter, as a simulator would write it.

const HEAD = `$date demo $end
$version Tonkopf $end
$timescale 1 ns $end
$scope module bench $end
$var reg 1 ! clk $end
$var reg 1 " reset $end
$scope module uart $end
$var wire 1 # tx $end
$var reg 8 $ shift [7:0] $end
$var integer 32 % bit_index $end
$var string 1 & state $end
$var event 1 ' sent $end
$var wire 1 ! clock $end
$upscope $end
$upscope $end
$enddefinitions $end
`;

export function wave_dump() {
  const lines = ['#0', '$dumpvars', '0!', '1"', '1#', 'bx $', 'b0 %', 'sreset &', '$end'];
  /** @type {string[]} */
  let pending = [];
  let clock = 0;
  const tick = () => {
    lines.push(`#${clock * 10}`, '1!', ...pending, `#${clock * 10 + 5}`, '0!');
    pending = [];
    clock++;
  };
  const wait = (/** @type {number} */ cycles) => {
    for (let i = 0; i < cycles; i++) tick();
  };
  wait(4);
  pending.push('0"', 'sidle &');
  for (const letter of 'Tonkopf') {
    wait(6);
    let shift = letter.charCodeAt(0);
    pending.push('sstart &', '0#', `b${shift.toString(2)} $`);
    wait(8);
    for (let bit = 0; bit < 8; bit++) {
      pending.push('sdata &', `${shift & 1}#`, `b${bit.toString(2)} %`);
      shift >>= 1;
      pending.push(`b${shift.toString(2)} $`);
      wait(8);
    }
    pending.push('sstop &', '1#', "1'");
    wait(8);
    pending.push('sidle &');
  }
  wait(5);
  return Buffer.from(`${HEAD}${lines.join('\n')}\n`);
}
