// Reads a stream slowly and samples its own memory. Arguments: the client's file, the base URL, the seconds to read.
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceClient } from '../../../src/client/client.ts';
import { messageBody } from './messageBody.ts';

const [chunkFile, baseUrl, seconds] = process.argv.slice(2) as [string, string, string];
const chunk = createRequire(import.meta.url)(chunkFile) as { ServiceClient: typeof ServiceClient };
const client = new chunk.ServiceClient({ baseUrl, kind: 'gateway', keys: {} });

// idle memory is measured after the first request, which loads code and a parser
for await (const _event of client.streamMessage(messageBody)) {
	break;
}
globalThis.gc?.();
await delay(200);
const idle = process.memoryUsage.rss();

const samples: number[] = [];
const until = performance.now() + Number(seconds) * 1000;
for await (const _event of client.streamMessage(messageBody)) {
	samples.push(process.memoryUsage.rss());
	if (performance.now() > until) {
		break;
	}
	await delay(10);
}
await client.close();
console.log(JSON.stringify({ idle, samples }));
