#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// The HTTP interface of trace_processor_shell, as far as Perfetto's Python package uses it, with the engine of the tests, because tests do
// not download the original program. trace_processor_shell.mjs -D --http-port PORT
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { openTraceProcessor } from '../../output/trace-processor.mjs';

const engine = openTraceProcessor();
const nothing = () => Buffer.alloc(0);
const METHODS = /** @type {Record<string, (body: Buffer, loaded: Awaited<typeof engine>) => Buffer | void>} */ ({
  '/status': nothing,
  '/parse': (body, loaded) => loaded.append(body),
  '/notify_eof': (_, loaded) => loaded.finish(),
  '/query': (body, loaded) => Buffer.concat(loaded.answer(body)), // consecutive messages are one message
});

const server = createServer(async (request, response) => {
  const method = METHODS[request.url ?? ''];
  if (!method) return void response.writeHead(404).end();
  response.end(method(await buffer(request), await engine) ?? nothing());
});
server.keepAliveTimeout = 0; // the client keeps its connection
server.listen(Number(process.argv[process.argv.indexOf('--http-port') + 1]), 'localhost');
