import type { NetworkSettings } from '#network/networkSettings.ts';
import { isProxyAddress } from '#network/proxies.ts';
import { configSchema, type GatewayConfig } from './config.ts';
import { SettingError } from './flags.ts';

/** Reads the configuration file; returns the defaults if no file is given. */
export async function readConfig(file: string | undefined): Promise<GatewayConfig> {
	if (file === undefined) {
		return configSchema.parse({});
	}
	const { readJsonFile } = await import('./configFile.ts');
	return readJsonFile(file, configSchema);
}

/**
 * Returns the network settings of a configuration. Throws a {@link SettingError} for an invalid proxy.
 * @param given proxy from stdin, which takes precedence
 */
export function getNetworkSettings(
	{ network: { proxy: configured, no_proxy, strict_ssl } }: GatewayConfig,
	given: string | undefined,
): NetworkSettings {
	const proxy = given ?? configured;
	if (proxy !== undefined && !isProxyAddress(proxy)) {
		throw new SettingError(`${given === undefined ? 'network.proxy' : 'stdin:1: proxy'}: expected an http://, https:// or socks5:// URL.`);
	}
	return {
		...(proxy !== undefined && { proxy }),
		...(no_proxy && { noProxy: no_proxy }),
		...(strict_ssl !== undefined && { strictSSL: strict_ssl }),
	};
}

/** Returns the values of agent secrets, by agent and variable. Throws a {@link SettingError} for a key that wasn't given. */
export function resolveSecrets(
	{ agents }: GatewayConfig,
	keys: ReadonlyMap<string, string>,
): ReadonlyMap<string, Readonly<Record<string, string>>> {
	const secrets = Object.entries(agents).flatMap(([name, agent]) => ('secrets' in agent ? [[name, agent.secrets] as const] : []));
	return new Map(
		secrets.map(([name, byVariable]) => {
			const values = Object.entries(byVariable).map(([variable, key]) => {
				const value = keys.get(key);
				if (value === undefined) {
					throw new SettingError(`agents.${name}.secrets.${variable}: expected the name of a key from the key file or stdin.`);
				}
				return [variable, value];
			});
			return [name, Object.fromEntries(values) as Readonly<Record<string, string>>];
		}),
	);
}
