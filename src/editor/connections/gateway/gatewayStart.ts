import { type GatewayOptions, startGateway } from './gatewayProcess.ts';
import { gatewaySetup } from './gatewaySetup.ts';
import type { UpstreamKeys } from './upstreamKeys.ts';

/** What a gateway is started with besides the settings. */
interface GatewayStart extends Pick<GatewayOptions, 'program' | 'dataFolder' | 'key' | 'flags' | 'onLog'> {
	readonly upstreamKeys: UpstreamKeys;
}

/** Starts a gateway with the settings of now, and resolves to its base URL. Rejects as {@link startGateway} does. A chunk of its own. */
export async function startWithSettings({ upstreamKeys, flags, ...start }: GatewayStart): Promise<string> {
	const setup = gatewaySetup();
	return startGateway({
		...start,
		config: setup.config,
		flags: [...setup.flags, ...flags],
		upstreamKeys: await upstreamKeys.all(setup.keys),
		proxy: setup.proxy,
	});
}
