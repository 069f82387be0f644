import { createRequire } from 'node:module';
import type { ServiceClient } from '#client/client.ts';
import type { ServiceClientOptions } from '#client/serviceTarget.ts';

const require = createRequire(import.meta.url);

/** Creates a client from dist/client.cjs, the chunk in the package, to show that nothing it needs was removed. */
export function createShippedClient(options: ServiceClientOptions): ServiceClient {
	const chunk = require('../../../dist/client.cjs') as typeof import('#client/client.ts');
	return new chunk.ServiceClient(options);
}

export async function collectItems<T>(values: AsyncIterable<T>): Promise<T[]> {
	const seen: T[] = [];
	for await (const value of values) {
		seen.push(value);
	}
	return seen;
}
