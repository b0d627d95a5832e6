// A link to another screen of the page. Other clicks than a plain one, such as for a new tab, are left to the
// browser.
import type { ComponentChildren } from 'preact';
import { navigate } from '../frame/router.ts';

export function Link({ to, children, ...rest }: { to: string; class?: string; children: ComponentChildren }) {
  return (
    <a
      href={to}
      {...rest}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        navigate(to);
      }}
    >
      {children}
    </a>
  );
}
