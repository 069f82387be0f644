import { createHash } from 'node:crypto';
import type { TokenUsage } from '#contract/text/tokenPrice.ts';
import { getCacheBounds, type ModelRoute } from '#models/modelRoute.ts';
import type { Log } from '../process/log.ts';
import type { ReplyCacheSize, ReplyStore } from '../store/replyStore.ts';

/** A cached reply. */
export interface CachedReply {
	readonly headers: Readonly<Record<string, string>>;
	readonly usage?: TokenUsage;
	readonly body: Buffer;
}

/** Whether the caller wants to use the cache, which overrides the route; undefined leaves it to the route. */
export type CacheWish = boolean | undefined;

/** Cache of replies to identical requests. If the store fails, the request goes to the service instead. */
export class ReplyCache {
	readonly #store: ReplyStore;
	readonly #log: Log;

	constructor(store: ReplyStore, log: Log) {
		this.#store = store;
		this.#log = log;
	}

	/** True if the cache is used for this route and caller. */
	isUsedFor(route: ModelRoute, wish: CacheWish): boolean {
		return wish ?? route.cache !== undefined;
	}

	get(key: string, route: ModelRoute): CachedReply | undefined {
		try {
			const kept = this.#store.get(key, Date.now() - getRouteBounds(route).maxAgeMs);
			return kept && { ...(JSON.parse(kept.head) as Omit<CachedReply, 'body'>), body: Buffer.from(kept.body) };
		} catch (error) {
			this.#log.warn("Couldn't read the response cache", { error });
			return undefined;
		}
	}

	add(key: string, route: ModelRoute, { body, ...head }: CachedReply): void {
		try {
			this.#store.add(key, route.pattern, { head: JSON.stringify(head), body }, getRouteBounds(route).maxBytes, Date.now());
		} catch (error) {
			this.#log.warn("Couldn't write to the response cache", { error });
		}
	}

	getSize(): ReplyCacheSize {
		return this.#store.getSize();
	}

	clear(): ReplyCacheSize {
		return this.#store.clear();
	}
}

/** Returns a hash of a whole request, including its destination but no key. */
export function createReplyKey(route: ModelRoute, ...parts: readonly (string | Buffer)[]): string {
	const hash = createHash('sha256');
	const { pattern, provider, origin, prefix, upstreamModel = '', maxOutputTokens = 0, fallback } = route;
	for (const part of [JSON.stringify([pattern, provider, origin, prefix, upstreamModel, maxOutputTokens, fallback]), ...parts]) {
		hash.update(`${part.length}:`).update(part);
	}
	return hash.digest('hex');
}

function getRouteBounds(route: ModelRoute): NonNullable<ModelRoute['cache']> {
	return route.cache ?? getCacheBounds();
}
