import {
	Client,
	ProtocolError,
	SdkError,
	SdkErrorCode,
	StreamableHTTPClientTransport,
	UnsupportedProtocolVersionError,
	type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import type { McpConnect, McpConnection, McpServerSettings } from './mcpSettings.ts';
import { noAnswer, SdkConnection } from './sdkConnection.ts';
import { StdioTransport } from './stdioTransport.ts';

/** The newest version of the protocol that is spoken here, the first of its era: without a handshake. */
const newestVersion = '2026-07-28';

/**
 * Connects to a server by the official SDK, in the era of the protocol that it speaks. This module is a bundle of its own, loaded with the first tool that
 * needs it.
 *
 * An address is asked first which versions it speaks, as the protocol wants it; a service of before may fail of that question, and is asked as of old then.
 * A program is first asked as of old, because many of before say nothing to another question, or end: it would be waited for in vain. One that refuses is
 * begun anew and asked in the newest version.
 */
export const connect: McpConnect = async (settings, events, fetch) => {
	const isProgram = 'command' in settings;
	const first = new Opening(settings, isProgram ? 'legacy' : 'auto', events, fetch);
	try {
		return await first.open();
	} catch (error) {
		if (!first.mayBeOfOtherEra(error)) {
			throw first.worded(error);
		}
		const second = new Opening(settings, isProgram ? { pin: newestVersion } : 'legacy', events, fetch);
		return await second.open().catch((other: unknown) => {
			// a program that is of neither era says why in what it answered first
			throw isProgram && !(other instanceof UnsupportedProtocolVersionError) ? first.worded(error) : second.worded(other);
		});
	}
};

/** One attempt to begin to speak with a server. */
class Opening {
	readonly #settings: McpServerSettings;
	readonly #mode: VersionNegotiationMode;
	readonly #events: Parameters<McpConnect>[1];
	readonly #program: StdioTransport | undefined;
	readonly #transport: StdioTransport | StreamableHTTPClientTransport;

	constructor(
		settings: McpServerSettings,
		mode: VersionNegotiationMode,
		events: Parameters<McpConnect>[1],
		fetch: typeof globalThis.fetch,
	) {
		this.#settings = settings;
		this.#mode = mode;
		this.#events = events;
		this.#program = 'command' in settings ? new StdioTransport(settings, line => events.said(line)) : undefined;
		this.#transport = this.#program ?? httpTransport(settings, fetch);
	}

	/** Rejects with what the SDK says, once all is closed. */
	async open(): Promise<McpConnection> {
		const client = new Client(
			{ name: 'agent-workbench', version: '1' },
			{ capabilities: {}, versionNegotiation: { mode: this.#mode }, jsonSchemaValidator: noValidator },
		);
		client.setNotificationHandler('notifications/tools/list_changed', () => this.#events.toolsChanged());
		let state: 'opening' | 'open' | 'closing' = 'opening';
		client.onclose = () => {
			if (state === 'open') {
				this.#events.closed(this.#program?.reason || 'the connection is over');
			}
		};
		const close = async () => {
			state = 'closing';
			await client.close().catch(() => {});
			await this.#transport.close();
		};
		try {
			await client.connect(this.#transport, { timeout: this.#startMs });
			state = 'open';
			if (this.#program?.reason) {
				throw new Error(this.#program.reason);
			}
		} catch (error) {
			await close();
			throw error;
		}
		return new SdkConnection(client, this.#settings, this.#events, close);
	}

	/** Whether a server may fail like that because it was asked in another era's way. */
	mayBeOfOtherEra(error: unknown): boolean {
		if (this.#program) {
			return this.#program.reason ? this.#program.exited : error instanceof ProtocolError || isOfVersions(error);
		}
		return error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed;
	}

	/** In a sentence for whoever configured the server. */
	worded(error: unknown): Error {
		const reason = this.#program?.reason;
		if (reason) {
			return new Error(`the program ${reason}`, { cause: error });
		}
		if (error instanceof UnsupportedProtocolVersionError) {
			const versions = error.supported.map(version => version.slice(0, 40)).slice(0, 10);
			return new Error(
				`it speaks version ${versions.join(', ')} of the Model Context Protocol, and this gateway none after ${newestVersion}: use a server that speaks one of those, or a newer Agent Workbench`,
				{ cause: error },
			);
		}
		return noAnswer(error, this.#startMs) ?? (error as Error);
	}

	get #startMs(): number {
		return this.#settings.timeoutMs * 2;
	}
}

/** What tools put out is shown to a model, which needs no schema of it; and a schema of the server's is not compiled here. */
const noValidator = {
	getValidator:
		<T>() =>
		(input: unknown) => ({ valid: true as const, data: input as T & {}, errorMessage: undefined }),
};

/** The SDK's plain error for a handshake in a version that it does not know. */
function isOfVersions(error: unknown): boolean {
	return !(error instanceof SdkError) && /protocol version/.test((error as Error).message);
}

function httpTransport(settings: McpServerSettings, fetch: typeof globalThis.fetch): StreamableHTTPClientTransport {
	const { url, headers } = settings as Extract<McpServerSettings, { url: string }>;
	return new StreamableHTTPClientTransport(new URL(url), { fetch, requestInit: { headers: { ...headers } } });
}
