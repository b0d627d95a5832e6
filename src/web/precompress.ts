// Compresses what was built as well as it can be, once, so that no request has to wait for it.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

/** Below this, the headers weigh more than what is saved. */
const MIN_BYTES = 512;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Adds `.br` and `.gz` beside each file that is text. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const texts = Object.values(bundle)
          .map((file) => ({
            name: file.fileName,
            bytes: Buffer.from(file.type === 'chunk' ? file.code : file.source),
          }))
          .filter(
            ({ name, bytes }) => /\.(js|css|html|svg)$/.test(name) && bytes.length > MIN_BYTES,
          );
        for (const { name, bytes } of texts) {
          const params = {
            [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
            [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
          };
          const emit = (suffix: string, source: Buffer) =>
            this.emitFile({ type: 'asset', fileName: `${name}${suffix}`, source });
          emit('.br', await brotli(bytes, { params }));
          emit('.gz', await zip(bytes, { level: 9 }));
        }
      },
    },
  };
}
