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
import { SdkConnection, toTimeoutError } from './sdkConnection.ts';
import { StdioTransport } from './stdioTransport.ts';

/** The newest supported version of the protocol, the first without a handshake. */
const newestVersion = '2026-07-28';

/**
 * Connects to a server with the official SDK, in the protocol era that the server supports. This module is a separate bundle, loaded with
 * the first tool that needs it.
 * An HTTP server is first asked which versions it supports, as the protocol requires. An older server may fail on that request; then the
 * old handshake is tried.
 * A program is first tried with the old handshake, because many older programs ignore other requests or exit. If it refuses the handshake,
 * it is restarted and asked in the newest version.
 */
export const connectToMcpServer: McpConnect = async (settings, events, fetch) => {
	const isProgram = 'command' in settings;
	const first = new Opening(settings, isProgram ? 'legacy' : 'auto', events, fetch);
	try {
		return await first.openConnection();
	} catch (error) {
		if (!first.isPossibleEraMismatch(error)) {
			throw first.describeError(error);
		}
		const second = new Opening(settings, isProgram ? { pin: newestVersion } : 'legacy', events, fetch);
		return await second.openConnection().catch((other: unknown) => {
			// if a program supports neither era, its first response says why
			throw isProgram && !(other instanceof UnsupportedProtocolVersionError) ? first.describeError(error) : second.describeError(other);
		});
	}
};

/** One attempt to connect to a server. */
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
		this.#program = 'command' in settings ? new StdioTransport(settings, line => events.onOutput(line)) : undefined;
		this.#transport = this.#program ?? createHttpTransport(settings, fetch);
	}

	/** Opens the connection. If that fails, closes everything and rejects with the SDK's error. */
	async openConnection(): Promise<McpConnection> {
		const client = new Client(
			{ name: 'agent-workbench', version: '1' },
			{ capabilities: {}, versionNegotiation: { mode: this.#mode }, jsonSchemaValidator: noValidator },
		);
		client.setNotificationHandler('notifications/tools/list_changed', () => this.#events.onToolsChanged());
		let state: 'opening' | 'open' | 'closing' = 'opening';
		client.onclose = () => {
			if (state === 'open') {
				this.#events.onClosed(this.#program?.reason || 'the connection was closed');
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

	/** True if the error may be caused by using the wrong protocol era. */
	isPossibleEraMismatch(error: unknown): boolean {
		if (this.#program) {
			return this.#program.reason ? this.#program.exited : error instanceof ProtocolError || isVersionError(error);
		}
		return error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed;
	}

	/** Converts an error to one whose message is meant for the person who configured the server. */
	describeError(error: unknown): Error {
		const reason = this.#program?.reason;
		if (reason) {
			return new Error(`the program ${reason}`, { cause: error });
		}
		if (error instanceof UnsupportedProtocolVersionError) {
			const versions = error.supported.map(version => version.slice(0, 40)).slice(0, 10);
			return new Error(
				`it uses version ${versions.join(', ')} of the Model Context Protocol, but this gateway supports versions up to ${newestVersion}. Use an older server, or update Agent Workbench`,
				{ cause: error },
			);
		}
		return toTimeoutError(error, this.#startMs) ?? (error as Error);
	}

	get #startMs(): number {
		return this.#settings.timeoutMs * 2;
	}
}

/**
 * Disables the SDK's validation of tool outputs: a model that gets the output needs no schema, and schemas from a server shouldn't be
 * compiled.
 */
const noValidator = {
	getValidator:
		<T>() =>
		(input: unknown) => ({ valid: true as const, data: input as T & {}, errorMessage: undefined }),
};

/** True for the SDK's generic error about an unknown protocol version in a handshake. */
function isVersionError(error: unknown): boolean {
	return !(error instanceof SdkError) && /protocol version/.test((error as Error).message);
}

function createHttpTransport(settings: McpServerSettings, fetch: typeof globalThis.fetch): StreamableHTTPClientTransport {
	const { url, headers } = settings as Extract<McpServerSettings, { url: string }>;
	return new StreamableHTTPClientTransport(new URL(url), { fetch, requestInit: { headers: { ...headers } } });
}
