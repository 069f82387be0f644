import { ServiceClient } from '#client/client.ts';
import type { ServiceKind } from '#contract/serviceKinds.ts';
import type { GivenArguments } from '../arguments/givenArguments.ts';
import type { Interrupt } from '../interrupt.ts';
import { openOwnGateway } from './ownGateway.ts';
import { readGatewayOptions, readRemoteOptions } from './serviceOptions.ts';

/** The service that a command uses. */
export interface Service {
	readonly client: ServiceClient;
	/** Name for messages. */
	readonly name: string;
	/** True for the built-in gateway, which runs agent files directly. */
	readonly isBuiltIn: boolean;
	readonly kind: ServiceKind;
	/** Hash of the built-in gateway's configuration. Absent for other services. */
	readonly configuration?: string;
	/** Absolute paths of the built-in gateway's agents folders of this command; absent for other services. */
	readonly agentFolders?: readonly string[];
	close(): Promise<void>;
}

/**
 * Returns the service that the options name, without connecting to it. If they name none, starts the built-in gateway for this command.
 * Rejects with a `CliFault`.
 *
 * @param files absolute paths of the files to run, for finding their agents
 */
export async function openService(given: GivenArguments, files: readonly string[], interrupt: Interrupt): Promise<Service> {
	const remote = readRemoteOptions(given, process.env);
	if (remote) {
		const { baseUrl, kind, key } = remote;
		const client = new ServiceClient({ baseUrl, kind, keys: toClientKeys(key) });
		return { client, name: new URL(baseUrl).host, isBuiltIn: false, kind, close: () => client.close() };
	}
	const options = readGatewayOptions(given, files);
	const gateway = await interrupt.runPreparation(() => openOwnGateway(options, interrupt));
	const client = new ServiceClient({ baseUrl: gateway.baseUrl, kind: 'gateway', keys: toClientKeys(gateway.key) });
	return {
		client,
		name: 'the built-in gateway',
		isBuiltIn: true,
		configuration: gateway.configuration,
		agentFolders: options.agents,
		kind: 'gateway',
		async close() {
			await client.close();
			await gateway.close();
		},
	};
}

function toClientKeys(key: string | undefined) {
	return key === undefined ? {} : { agent: key, messages: key, content: key };
}
