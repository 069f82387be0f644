import { isRecord, toFields } from '#base/records/plainValues.ts';

/** A key that the settings name, and the only origin that it may be sent to. */
export interface UpstreamKeyUse {
	/** Name of the key in the settings. */
	readonly name: string;
	/** Scheme, host and port of the upstream, or the provider's name if it's at its default address. */
	readonly origin: string;
}

/** Returns the gateway's name for a key. Includes the origin, so that a route that moves to another origin finds no key (decision 3). */
export function formatUpstreamKeyName({ name, origin }: UpstreamKeyUse): string {
	return `${name}@${origin}`;
}

/**
 * Replaces each `${key:NAME}` in `env` and `headers` of a tool's setting with the gateway's name for a key that is bound to the tool's
 * server.
 * @param origin origin of the server, or another unique name for the server
 * @param keys receives the keys that are used
 */
export function bindNamedKeys(target: unknown, origin: string, keys: Map<string, UpstreamKeyUse>): unknown {
	const fillKeyReferences = (values: unknown) =>
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
				...('env' in target && { env: fillKeyReferences(target['env']) }),
				...('headers' in target && { headers: fillKeyReferences(target['headers']) }),
			}
		: target;
}
