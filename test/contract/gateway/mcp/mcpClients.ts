import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { GatewayProcess } from '../gatewayProcess.ts';

/** Both eras of the protocol: with and without sessions. */
export const eras = { 'until 2025-11-25': 'legacy', '2026-07-28': { pin: '2026-07-28' } } as const;
export type Era = (typeof eras)[keyof typeof eras];

/** A connected client of the official SDK. `changes` counts the notifications about a changed tool list. */
export interface ConnectedClient extends AsyncDisposable {
	readonly client: Client;
	/** Resolves when a change notification has arrived since the last call. */
	waitForChange(): Promise<void>;
}

/** Connects the official client to the gateway; `headers` replace its key. */
export async function connectClient(
	gateway: GatewayProcess,
	mode: Era | 'auto',
	headers: Record<string, string> = { authorization: `Bearer ${gateway.apiKey}` },
): Promise<ConnectedClient> {
	let changes = 0;
	let notifyWaiters: () => void = () => {};
	const client = new Client(
		{ name: 'contract-test', version: '1' },
		{
			versionNegotiation: { mode },
			listChanged: {
				tools: {
					autoRefresh: false,
					debounceMs: 0,
					onChanged: () => {
						changes++;
						notifyWaiters();
					},
				},
			},
		},
	);
	const transport = new StreamableHTTPClientTransport(new URL('/mcp', gateway.baseUrl), { requestInit: { headers } });
	await client.connect(transport);
	return {
		client,
		waitForChange: async () => {
			while (changes === 0) {
				await new Promise<void>(resolve => {
					notifyWaiters = resolve;
				});
			}
			changes = 0;
		},
		[Symbol.asyncDispose]: () => client.close(),
	};
}
