// The icons of the page: strokes in the colour of the surrounding text.

const PATHS = {
  board: 'M3 4h18M5 4v11h14V4M12 15v3M8 21l4-3 4 3',
  check: 'm4 12.5 5 5L20 6.5',
  cross: 'M6 6l12 12M18 6 6 18',
  dark: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v10a5 5 0 0 0 0-10z',
  dots: 'M5 11v2M12 11v2M19 11v2M4 12h2M11 12h2M18 12h2',
  eye: 'M2 12c2.300-4.400 5.700-6.500 10-6.500S19.700 7.600 22 12c-2.300 4.400-5.700 6.500-10 6.500S4.300 16.400 2 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  hidden:
    'M4 4l16 16M9.900 5.700A10 10 0 0 1 12 5.500c4.300 0 7.700 2.100 10 6.500a13 13 0 0 1-2.600 3.500M6.500 7.500A12 12 0 0 0 2 12c2.300 4.400 5.700 6.500 10 6.500a10 10 0 0 0 4.500-1',
  swap: 'M7 4 3 8l4 4M3 8h14M17 12l4 4-4 4M21 16H7',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  crown: 'M4 18h16M4 18 3 7l5.5 4L12 5l3.500 6L21 7l-1 11',
  lock: 'M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3',
  pen: 'M4 20l1-4L16.500 4.500l3 3L8 19zM14 7l3 3',
  people:
    'M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM2.500 20c0-3.600 2.900-6 6.500-6s6.500 2.400 6.500 6M16 4.500a3.500 3.500 0 0 1 0 6.200M18 14.500c2.100.9 3.500 2.900 3.500 5.500',
  person: 'M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.500 21c0-4 3.300-7 7.500-7s7.500 3 7.500 7',
  frame: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  sound: 'M4 9.500h3.500L12 6v12l-4.500-3.500H4zM15.500 9.500a3.500 3.500 0 0 1 0 5M18 7a7 7 0 0 1 0 10',
  silent: 'M4 9.500h3.500L12 6v12l-4.500-3.500H4zM16 9.500l5 5M21 9.500l-5 5',
  seal: 'M12 3 5 6v5c0 5 3 8 7 10 4-2 7-5 7-10V6zM9 12l2 2 4-4',
} as const;

export type IconName = keyof typeof PATHS;

/** Icons are hidden from screen readers; the text beside them says the same. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
