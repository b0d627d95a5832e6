# One image for every process of the service:
#
#   the API        (default)              public port 3000
#   the worker     node --max-semi-space-size=8 worker/main.js
#   migrations     node prisma/deploy.js
#   vocabulary     node src/tools/import/cli.js load
#
# It needs no shell, no writable file system and no root. Node.js is process 1 and handles SIGTERM itself.
#
# The base image is pinned by its version. To pin its content too, append the digest that
# `docker buildx imagetools inspect node:24.21.0-bookworm-slim` prints: `node:24.21.0-…@sha256:…`. Dependabot
# then updates both. The version is the same as in package.json's optionalDependencies.
FROM node:24.21.0-bookworm-slim AS base
WORKDIR /app
ENV NPM_CONFIG_UPDATE_NOTIFIER=false

# Compiles the programs and their packages to JavaScript (src/build.ts), and builds the page and the documents.
FROM base AS build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build

# Installs the packages. The programs load only Bull Board's from here, since their own code is compiled in, but scanners
# for vulnerabilities and the bill of materials find all of them here. The optional ones are Node.js, which the base
# image has.
FROM base AS dependencies
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts && npm cache clean --force && \
    rm node_modules/@prisma/client/runtime/query_compiler_*

FROM base
ARG VERSION=0.0.0-local
ARG REVISION=unknown
LABEL org.opencontainers.image.title="vocabulary-quiz-service" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
ENV NODE_ENV=production
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist/service ./
COPY --from=build /app/dist/web ./dist/web
COPY --from=build /app/dist/docs ./dist/docs
# A number, so that Kubernetes can check that the user is not root.
USER 1000:1000
EXPOSE 3000 9464
STOPSIGNAL SIGTERM
# Both processes serve /live on the port of the metrics. With METRICS_PORT=0 the check uses the API's public
# port. A worker then has no port, so that a refused connection counts as healthy as long as the container
# runs.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "const { METRICS_PORT, PORT } = process.env; const isOff = Number(METRICS_PORT || 9464) === 0; const url = isOff ? `http://127.0.0.1:${PORT || 3000}/api/health/live` : `http://127.0.0.1:${METRICS_PORT || 9464}/live`; fetch(url, { signal: AbortSignal.timeout(2500) }).then(({ ok }) => process.exit(ok ? 0 : 1), ({ cause }) => process.exit(isOff && cause?.code === 'ECONNREFUSED' ? 0 : 1))"]
CMD ["node", "--max-semi-space-size=8", "src/server.js"]
