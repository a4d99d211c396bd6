// SPDX-License-Identifier: MIT
// A button that opens a list of actions below it. Escape, a click elsewhere and each action close it.
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

interface MenuProps {
  /** text of the button */
  title: ComponentChildren;
  /** name of the button for screen readers; default: its text */
  label?: string;
  class?: string;
  children: ComponentChildren;
}

export function Menu({ title, label, class: name = '', children }: MenuProps) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  useEffect(() => {
    if (!open) return;
    const outside = ({ target }: Event): void => {
      if (target instanceof Node && !root.current?.contains(target)) setOpen(false);
    };
    addEventListener('pointerdown', outside);
    addEventListener('focusin', outside);
    return () => {
      removeEventListener('pointerdown', outside);
      removeEventListener('focusin', outside);
    };
  }, [open]);
  return (
    <div
      ref={root}
      class={`menu ${name}`}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        setOpen(false);
        button.current?.focus();
      }}
    >
      <button
        ref={button}
        type="button"
        class="button menu-button"
        aria-label={label}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {title}
      </button>
      <div
        id={id}
        class="menu-list"
        hidden={!open}
        onClick={({ target }) => {
          if (!(target instanceof Element) || !target.closest('button, a')) return;
          setOpen(false);
          button.current?.focus();
        }}
      >
        {children}
      </div>
    </div>
  );
}
