import { createRequire } from 'node:module';
import type { ServiceClient } from '#client/client.ts';
import type { ServiceClientOptions } from '#client/serviceTarget.ts';

const require = createRequire(import.meta.url);

/** A client of dist/client.cjs, the chunk that the package carries: what is left out of it is not missed. */
export function shippedClient(options: ServiceClientOptions): ServiceClient {
	const chunk = require('../../../dist/client.cjs') as typeof import('#client/client.ts');
	return new chunk.ServiceClient(options);
}

/** All that an iterator gives. */
export async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
	const seen: T[] = [];
	for await (const value of values) {
		seen.push(value);
	}
	return seen;
}
