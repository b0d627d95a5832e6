// A QR code as one path. It is black on white in any colour scheme, since some scanners can't read inverted codes.
import qrcode from 'qrcode-generator';

/** The quiet zone around the code, in modules, which ISO/IEC 18004 requires. */
const MARGIN = 4;

export function QrCode({ text, label }: { text: string; label: string }) {
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  const size = code.getModuleCount();
  let path = '';
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) if (code.isDark(row, column)) path += `M${column} ${row}h1v1h-1z`;
  const side = size + 2 * MARGIN;
  return (
    <svg
      class="qr"
      role="img"
      aria-label={label}
      viewBox={`${-MARGIN} ${-MARGIN} ${side} ${side}`}
      shape-rendering="crispEdges"
    >
      <rect x={-MARGIN} y={-MARGIN} width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
