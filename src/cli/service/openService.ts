import { ServiceClient } from '#client/client.ts';
import type { ServiceKind } from '#contract/serviceKinds.ts';
import type { GivenArguments } from '../arguments/givenArguments.ts';
import type { Interrupt } from '../interrupt.ts';
import { openOwnGateway } from './ownGateway.ts';
import { ownGatewayOptions, remoteOptions } from './serviceOptions.ts';

/** What a command talks to. */
export interface Service {
	readonly client: ServiceClient;
	/** As messages name it. */
	readonly name: string;
	/** Whether it is the built-in gateway, which runs agent files as they stand. */
	readonly isBuiltIn: boolean;
	readonly kind: ServiceKind;
	/** Hash of what the built-in gateway is configured with; absent for another service. */
	readonly configuration?: string;
	close(): Promise<void>;
}

/**
 * The service that the options name, or the built-in gateway, started for this command. Opens no connection to a service that is named.
 * Rejects with a `CliFault`.
 *
 * @param files absolute paths of what is run, to find its agents by
 */
export async function openService(given: GivenArguments, files: readonly string[], interrupt: Interrupt): Promise<Service> {
	const remote = remoteOptions(given, process.env);
	if (remote) {
		const { baseUrl, kind, key } = remote;
		const client = new ServiceClient({ baseUrl, kind, keys: keysOf(key) });
		return { client, name: new URL(baseUrl).host, isBuiltIn: false, kind, close: () => client.close() };
	}
	const options = ownGatewayOptions(given, files);
	const gateway = await interrupt.preparing(() => openOwnGateway(options, interrupt));
	const client = new ServiceClient({ baseUrl: gateway.baseUrl, kind: 'gateway', keys: keysOf(gateway.key) });
	return {
		client,
		name: 'the built-in gateway',
		isBuiltIn: true,
		configuration: gateway.configuration,
		kind: 'gateway',
		async close() {
			await client.close();
			await gateway.close();
		},
	};
}

function keysOf(key: string | undefined) {
	return key === undefined ? {} : { agent: key, messages: key, content: key };
}
