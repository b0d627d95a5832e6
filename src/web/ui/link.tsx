// A link to another screen of the page, which may look like a button. Other clicks than a plain one, such as for a new
// tab, are left to the browser.
import type { ComponentChildren } from 'preact';
import { navigate } from '../frame/router.ts';
import { Icon, type IconName } from './icon.tsx';

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

interface ButtonLinkProps {
  to: string;
  class?: 'primary' | 'secondary' | 'quiet';
  icon?: IconName;
  label: ComponentChildren;
  /** Whether a phone shows the icon alone. */
  isShort?: boolean;
}

export function ButtonLink({ to, class: kind = 'secondary', icon, label, isShort = false }: ButtonLinkProps) {
  return (
    <Link to={to} class={`button ${kind}`}>
      {icon && <Icon name={icon} />} {isShort ? <span class="on-wide">{label}</span> : label}
    </Link>
  );
}
