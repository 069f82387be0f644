import { createHash } from 'node:crypto';
import type { TokenUsage } from '#contract/text/tokenPrice.ts';
import { cacheBounds, type ModelRoute } from '#models/modelRoute.ts';
import type { Log } from '../process/log.ts';
import type { ReplyCacheSize, ReplyStore } from '../store/replyStore.ts';

/** A reply as it was given the first time. */
export interface CachedReply {
	readonly headers: Readonly<Record<string, string>>;
	readonly usage?: TokenUsage;
	readonly body: Buffer;
}

/** Whether a caller wants replies from the cache, whatever the route says; undefined leaves it to the route. */
export type CacheWish = boolean | undefined;

/** Replies that are given again to the same request. A store that cannot be used costs nobody a reply: it is asked of the service then. */
export class ReplyCache {
	readonly #store: ReplyStore;
	readonly #log: Log;

	constructor(store: ReplyStore, log: Log) {
		this.#store = store;
		this.#log = log;
	}

	/** Whether the replies of a route are kept for this caller. */
	uses(route: ModelRoute, wish: CacheWish): boolean {
		return wish ?? route.cache !== undefined;
	}

	get(key: string, route: ModelRoute): CachedReply | undefined {
		try {
			const kept = this.#store.get(key, Date.now() - boundsOf(route).maxAgeMs);
			return kept && { ...(JSON.parse(kept.head) as Omit<CachedReply, 'body'>), body: Buffer.from(kept.body) };
		} catch (error) {
			this.#log.warn('the cache of replies could not be read', { error });
			return undefined;
		}
	}

	keep(key: string, route: ModelRoute, { body, ...head }: CachedReply): void {
		try {
			this.#store.keep(key, route.pattern, { head: JSON.stringify(head), body }, boundsOf(route).maxBytes, Date.now());
		} catch (error) {
			this.#log.warn('a reply could not be kept in the cache', { error });
		}
	}

	size(): ReplyCacheSize {
		return this.#store.size();
	}

	clear(): ReplyCacheSize {
		return this.#store.clear();
	}
}

/** Hash of a whole request: where it goes and all that it says, but no key. */
export function replyKey(route: ModelRoute, ...parts: readonly (string | Buffer)[]): string {
	const hash = createHash('sha256');
	const { pattern, provider, origin, prefix, upstreamModel = '', maxOutputTokens = 0, fallback } = route;
	for (const part of [JSON.stringify([pattern, provider, origin, prefix, upstreamModel, maxOutputTokens, fallback]), ...parts]) {
		hash.update(`${part.length}:`).update(part);
	}
	return hash.digest('hex');
}

function boundsOf(route: ModelRoute): NonNullable<ModelRoute['cache']> {
	return route.cache ?? cacheBounds();
}
