import { type GatewayOptions, startGateway } from './gatewayProcess.ts';
import { readGatewaySetup } from './gatewaySetup.ts';
import type { UpstreamKeys } from './upstreamKeys.ts';

/** What a gateway is started with in addition to the settings. */
interface GatewayStart extends Pick<GatewayOptions, 'program' | 'dataFolder' | 'key' | 'flags' | 'onLog'> {
	readonly upstreamKeys: UpstreamKeys;
}

/** Starts a gateway with the current settings, and resolves to its base URL. Rejects like {@link startGateway}. Loaded on first use. */
export async function startWithSettings({ upstreamKeys, flags, ...start }: GatewayStart): Promise<string> {
	const setup = readGatewaySetup();
	return startGateway({
		...start,
		config: setup.config,
		flags: [...setup.flags, ...flags],
		upstreamKeys: await upstreamKeys.getAll(setup.keys),
		proxy: setup.proxy,
	});
}
