import { isRecord, toFields } from '#base/records/plainValues.ts';

/** A key named in the settings, and the only origin that it may be sent to. */
export interface UpstreamKeyUse {
	/** Name in the settings. */
	readonly name: string;
	/** Scheme, host and port of the upstream, or the provider's name for its default address. */
	readonly origin: string;
}

/** Returns the name of a key for the gateway. It includes the origin, so that a route that moves to another origin finds no key (decision 3). */
export function formatUpstreamKeyName({ name, origin }: UpstreamKeyUse): string {
	return `${name}@${origin}`;
}

/**
 * Replaces `${key:NAME}` in `env` and `headers` of a tool's setting by the name of a key that is bound to that server.
 * @param origin origin of the server, or another unique name for it
 * @param keys collects the keys that are used
 */
export function bindNamedKeys(target: unknown, origin: string, keys: Map<string, UpstreamKeyUse>): unknown {
	const fillValues = (values: unknown) =>
		Object.fromEntries(
			Object.entries(toFields(values)).map(([field, value]) => [
				field,
				typeof value !== 'string'
					? value
					: value.replace(/\$\{key:([^{}]+)\}/g, (_, name: string) => {
							const use = { name, origin };
							keys.set(formatUpstreamKeyName(use), use);
							return `\${key:${formatUpstreamKeyName(use)}}`;
						}),
			]),
		);
	return isRecord(target)
		? {
				...target,
				...('env' in target && { env: fillValues(target['env']) }),
				...('headers' in target && { headers: fillValues(target['headers']) }),
			}
		: target;
}
