import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { GatewayProcess } from '../gatewayProcess.ts';

/** Both eras of the protocol: with sessions, and without. */
export const eras = { 'until 2025-11-25': 'legacy', '2026-07-28': { pin: '2026-07-28' } } as const;
export type Era = (typeof eras)[keyof typeof eras];

/** A client of the official SDK, connected. `changes` counts how often it was told that the list of tools is another one. */
export interface ConnectedClient extends AsyncDisposable {
	readonly client: Client;
	/** Resolves when it was told of a change since the last time that this was called. */
	changed(): Promise<void>;
}

/** Connects the official client to the gateway; `headers` in place of its key. */
export async function connectClient(
	gateway: GatewayProcess,
	mode: Era | 'auto',
	headers: Record<string, string> = { authorization: `Bearer ${gateway.apiKey}` },
): Promise<ConnectedClient> {
	let changes = 0;
	let wake: () => void = () => {};
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
						wake();
					},
				},
			},
		},
	);
	const transport = new StreamableHTTPClientTransport(new URL('/mcp', gateway.baseUrl), { requestInit: { headers } });
	await client.connect(transport);
	return {
		client,
		changed: async () => {
			while (changes === 0) {
				await new Promise<void>(resolve => {
					wake = resolve;
				});
			}
			changes = 0;
		},
		[Symbol.asyncDispose]: () => client.close(),
	};
}
