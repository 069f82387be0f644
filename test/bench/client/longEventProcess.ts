// Reads a stream whose first event never ends, and prints its own memory. Arguments: the client's file, the base URL of a short stream, and
// that of the long event.
import { createRequire } from 'node:module';
import type { ServiceClient } from '../../../src/client/client.ts';
import { messageBody } from './messageBody.ts';

const [chunkFile, shortUrl, longUrl] = process.argv.slice(2) as [string, string, string];
const chunk = createRequire(import.meta.url)(chunkFile) as { ServiceClient: typeof ServiceClient };

async function readStream(baseUrl: string): Promise<{ readonly returned: number; readonly refused: boolean }> {
	const client = new chunk.ServiceClient({ baseUrl, kind: 'gateway', keys: {} });
	let returned = 0;
	try {
		for await (const _event of client.streamMessage(messageBody)) {
			returned++;
		}
		return { returned, refused: false };
	} catch {
		return { returned, refused: true };
	} finally {
		await client.close();
	}
}

// idle memory is measured after the first request, which loads code and a parser
await readStream(shortUrl);
const idle = process.memoryUsage.rss() / 1e6;
const { returned, refused } = await readStream(longUrl);
if (!refused) {
	throw new Error('the stream ended without an error');
}
console.log(JSON.stringify({ idle, highest: (process.resourceUsage().maxRSS * 1024) / 1e6, returned }));
