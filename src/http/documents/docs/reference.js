// Has Scalar draw /docs from /api/openapi.json, with nothing from elsewhere: no fonts, no telemetry, no
// assistants, no proxy for what is tried, which goes out with this browser's session cookie.
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
