// SPDX-License-Identifier: MIT
/** The page's logo: two tape reels and a head. */
function Sign() {
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

export const Brand = () => (
  <span class="brand">
    <Sign />
    <span class="name">Tonkopf</span>
  </span>
);
