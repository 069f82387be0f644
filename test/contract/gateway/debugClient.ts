import type { DebugEvent } from '#contract/debugging.ts';
import type { Answer, EventSource, GatewayProcess, StreamedEvent } from './gatewayProcess.ts';

export const debugPath = '/v1/agent/workflows/debug';

/** The data of a stop. */
export type StopData = (DebugEvent & { event: 'debug_stopped' })['data'];

/** A debug session over HTTP. */
export interface DebugClient {
	readonly stream: EventSource;
	readonly id: string;
	readonly key: string;
	sendCommand(command: object, key?: string): Promise<Answer>;
	/** Waits for the next stop. */
	waitForStop(): Promise<StopData>;
}

/** Starts a debugged run and resolves once its session exists. */
export async function openDebugSession(gateway: GatewayProcess, body: object): Promise<DebugClient> {
	const stream = await gateway.openStream(debugPath, body);
	const { data } = (await stream.waitForEvent('debug_session')) as StreamedEvent;
	return {
		stream,
		id: data.session_id,
		key: data.key,
		sendCommand: (command, key = data.key) => gateway.send('POST', `${debugPath}/${data.session_id}`, command, { 'x-debug-key': key }),
		waitForStop: async () => (await stream.waitForEvent('debug_stopped'))['data'] as StopData,
	};
}
