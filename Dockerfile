# One image for every process of the service:
#
#   the API        (default)              public port 3000
#   the worker     node worker/main.ts
#   migrations     node prisma/deploy.ts
#   vocabulary     node src/vocabulary/cli.ts load
#
# It needs no shell, no writable file system and no root; node is process 1 and takes SIGTERM itself.
#
# The base is pinned by its version. To pin the very bytes, append the digest that
# `docker buildx imagetools inspect node:24.21.0-bookworm-slim` prints: `node:24.21.0-…@sha256:…`.
# Dependabot then moves both. The version is that of package.json's optionalDependencies.
FROM node:24.21.0-bookworm-slim AS base
WORKDIR /app
ENV NPM_CONFIG_UPDATE_NOTIFIER=false

# What is generated or compiled: the Prisma client and the page.
FROM base AS build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && mkdir -p dist

# What the processes need at run time. The optional packages are Node.js itself, which the base has;
# of Prisma's five query compilers one is used.
FROM base AS dependencies
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts && npm cache clean --force && \
    find node_modules/@prisma/client/runtime -name 'query_compiler_*' \
      ! -name '*.postgresql.*' -delete

FROM base
ARG VERSION=0.0.0-local
ARG REVISION=unknown
LABEL org.opencontainers.image.title="vocabulary-quiz-service" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
ENV NODE_ENV=production
COPY package.json ./
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/prisma ./prisma
COPY --from=build /app/src ./src
COPY --from=build /app/worker ./worker
COPY --from=build /app/dist ./dist
# By number, so that Kubernetes can tell that it isn't root.
USER 1000:1000
EXPOSE 3000 9464
STOPSIGNAL SIGTERM
# Both processes answer it on the port of the metrics.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT || 9464}/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=16", "--no-allocation-site-pretenuring", "src/server.ts"]
