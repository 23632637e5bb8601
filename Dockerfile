# Belljar as an image: docker build --build-arg COMMIT="$(git rev-parse HEAD)" -t belljar .
# The first stage makes a release of the sources (docs/operating.md), the second one starts it.
FROM denoland/deno:2.9.6 AS build
WORKDIR /source
COPY . .
RUN deno task release /release \
  && mkdir /app \
  && tar -xzf /release/belljar-*.tar.gz --strip-components=1 -C /app
ARG COMMIT=
RUN if [ -n "$COMMIT" ]; then echo "$COMMIT" > /app/COMMIT; fi

FROM denoland/deno:2.9.6
COPY --from=build /app /app
RUN mkdir /data && chown 65532:65532 /data
# All other addresses than loopback need TOKENS or TOKENS_FILE: without them the service does not start.
ENV HOST=0.0.0.0 PORT=8000 KV_PATH=/data/data.sqlite3 DENO_DIR=/app/start/none
USER 65532:65532
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["deno", "eval", "--quiet", "const { ok } = await fetch(`http://127.0.0.1:${Deno.env.get('PORT')}/readyz`); Deno.exit(ok ? 0 : 1)"]
ENTRYPOINT ["/app/start"]
