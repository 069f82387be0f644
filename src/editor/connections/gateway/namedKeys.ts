import { fieldsOf, isRecord } from '#base/records/plainValues.ts';

/** A key that the settings name, and the one place that it may be sent to. */
export interface UpstreamKeyUse {
	/** As the settings write it. */
	readonly name: string;
	/** Scheme, host and port of the upstream; the provider's name where it is the provider's own address. */
	readonly origin: string;
}

/** Name of a key for the gateway: with its origin, so that a route that moves elsewhere finds no key (decision 3). */
export function upstreamKeyName({ name, origin }: UpstreamKeyUse): string {
	return `${name}@${origin}`;
}

/**
 * `${key:NAME}` in `env` and `headers` of a tool's setting becomes the name of a key for that server alone.
 * @param origin of the server, or what else tells it from others @param keys gets the keys that are named
 */
export function withNamedKeys(target: unknown, origin: string, keys: Map<string, UpstreamKeyUse>): unknown {
	const filled = (values: unknown) =>
		Object.fromEntries(
			Object.entries(fieldsOf(values)).map(([field, value]) => [
				field,
				typeof value !== 'string'
					? value
					: value.replace(/\$\{key:([^{}]+)\}/g, (_, name: string) => {
							const use = { name, origin };
							keys.set(upstreamKeyName(use), use);
							return `\${key:${upstreamKeyName(use)}}`;
						}),
			]),
		);
	return isRecord(target)
		? {
				...target,
				...('env' in target && { env: filled(target['env']) }),
				...('headers' in target && { headers: filled(target['headers']) }),
			}
		: target;
}
