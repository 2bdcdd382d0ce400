# Builds parlor from this checkout and serves the sandbox; `docker run --rm parlor run` runs the evaluation instead.
FROM node:20-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json ./
COPY scripts ./scripts
COPY src ./src
RUN npm ci && npm prune --omit=dev --ignore-scripts

FROM node:20-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./package.json
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY voices ./voices
RUN mkdir -p runs .cache && chown node:node runs .cache
USER node
VOLUME ["/app/runs"]
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/cli/main.js"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8080"]
