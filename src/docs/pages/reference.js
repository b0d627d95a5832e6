// Draws /docs from /api/openapi.json by Scalar, without requests to other hosts: no fonts, telemetry,
// assistants or proxy. Requests that a reader tries have the browser's session cookie.
Scalar.createApiReference('#reference', {
  url: '/api/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
});
