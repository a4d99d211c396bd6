// SPDX-License-Identifier: MIT
// The tape reels: the page's logo and its progress indicator. The tape on the left reel is the unread share of the input, that on the right
// the share that was read.
const HUB = 7;
const FULL = 30;

/** The area of tape on a reel is proportional to its length. */
const radius = (share: number): number =>
  Math.sqrt(HUB * HUB + (FULL * FULL - HUB * HUB) * Math.min(1, Math.max(0, share)));

function Reel({ x, share }: { x: number; share: number }) {
  return (
    <g transform={`translate(${x} 36)`}>
      <circle class="reels-flange" r={FULL + 2} />
      <circle class="reels-tape" r={radius(share)} />
      <g class="reels-spin">
        <circle class="reels-hub" r={HUB} />
        {[0, 120, 240].map((angle) => (
          <path class="reels-spoke" d={`M0 -${HUB}V-${FULL + 2}`} transform={`rotate(${angle})`} />
        ))}
        <circle class="reels-pin" r="2" />
      </g>
    </g>
  );
}

/** share: how much of the tape has passed the head, 0..1 */
export function Reels({ share, turning = false }: { share: number; turning?: boolean }) {
  const left = radius(1 - share);
  const right = radius(share);
  return (
    <svg class={turning ? 'reels spinning' : 'reels'} viewBox="0 0 240 92" aria-hidden="true">
      <path class="reels-path" d={`M${44 - left} 36L84 79H156L${196 + right} 36`} />
      <Reel x={44} share={1 - share} />
      <Reel x={196} share={share} />
      <circle class="reels-roller" cx="84" cy="77" r="4" />
      <circle class="reels-roller" cx="156" cy="77" r="4" />
      <path class="reels-head" d="M106 74h28v13a4 4 0 0 1-4 4h-20a4 4 0 0 1-4-4z" />
      <path class="reels-gap" d="M120 74v17" />
    </svg>
  );
}

export function Sign() {
  return (
    <svg class="logo" viewBox="0 0 44 30" aria-hidden="true">
      <path class="logo-line" d="M3 13 14 24h16L41 13" />
      <circle class="logo-line" cx="11" cy="10" r="8" />
      <circle class="logo-line" cx="33" cy="10" r="8" />
      <circle class="logo-dot" cx="11" cy="10" r="2" />
      <circle class="logo-dot" cx="33" cy="10" r="2" />
      <path class="logo-head" d="M16 21h12v7a2 2 0 0 1-2 2h-8a2 2 0 0 1-2-2z" />
    </svg>
  );
}
