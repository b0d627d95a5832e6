// Draws /docs from /api/openapi.json by Scalar, without requests to other hosts: no fonts, telemetry,
// assistants or proxy. Requests that a reader tries have the browser's session cookie.

/** Scalar's own colours of secondary texts and methods have too little contrast. [WCAG 1.4.3] */
const COLOURS = `
  .light-mode {
    --scalar-color-2: #4d5563;
    --scalar-color-3: #596273;
    --scalar-sidebar-color-2: #4d5563;
    --scalar-color-green: #0b6b3a;
    --scalar-color-orange: #9a4a00;
    --scalar-color-blue: #2b45b0;
    --scalar-color-red: #b3261e;
    --scalar-color-purple: #6b3fb5;
    --scalar-color-yellow: #7a5b00;
  }
  .dark-mode {
    --scalar-color-3: #a3adbd;
    --scalar-color-red: #ff9d94;
  }
`;

/** The session is a cookie that only a sign-in sets, so that a field for its value is of no use. */
const NO_SESSION_FIELD = '.introduction-card > .scalar-reference-intro-auth { display: none; }';

Scalar.createApiReference('#reference', {
  url: '/api/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  customCss: COLOURS + NO_SESSION_FIELD,
});
