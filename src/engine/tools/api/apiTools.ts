import { readFile, stat } from 'node:fs/promises';
import type { EngineTool, ToolSource } from '../engineTool.ts';
import { type ApiDescription, type ApiOperation, readDescription } from './apiDescription.ts';
import { callApi } from './callApi.ts';

/** A service as configured. */
interface ApiSettings {
	/** Path of its OpenAPI description. */
	readonly schema: string;
	/** The service's address; if absent, the description's address is used. */
	readonly baseUrl?: string;
	/** Returns the headers to send with each request; their values are keys. Throws if a key is missing. */
	readonly getHeaders: () => Readonly<Record<string, string>>;
	/** Masks keys in the service's response. Must be applied before truncating, since a partial key wouldn't be found. */
	readonly maskKeys: (text: string) => string;
}

/** Maximum size of a description in bytes. */
const longest = 5 * 1024 * 1024;

/** The configured services by name, with the tools that their OpenAPI descriptions declare. */
export class ApiTools implements ToolSource {
	readonly #apis: ReadonlyMap<string, ApiSettings>;
	/** Descriptions read so far, each with its file's modification time (Unix milliseconds). */
	readonly #read = new Map<string, { readonly changed: number; readonly description: ApiDescription }>();

	constructor(apis: Readonly<Record<string, ApiSettings>>) {
		this.#apis = new Map(Object.entries(apis));
	}

	async listProviders(): Promise<readonly string[]> {
		return [...this.#apis.keys()];
	}

	async findTool(provider: string, name: string): Promise<EngineTool | undefined> {
		const api = this.#apis.get(provider);
		if (!api) {
			return undefined;
		}
		const operation = readOperation(await this.#readDescription(provider, api), provider, name);
		const base = api.baseUrl ?? operation?.server;
		if (operation && base === undefined) {
			throw new Error(`the OpenAPI description of '${provider}' has no server URL. Set 'base_url'.`);
		}
		return operation && base !== undefined ? createApiTool(operation, provider, base, api) : undefined;
	}

	async listToolNames(provider: string): Promise<readonly string[]> {
		const api = this.#apis.get(provider);
		return api ? (await this.#readDescription(provider, api)).names : [];
	}

	async #readDescription(name: string, { schema }: ApiSettings): Promise<ApiDescription> {
		try {
			const { mtimeMs: changed, size } = await stat(schema);
			if (size > longest) {
				throw new Error("it's larger than 5 MB");
			}
			let known = this.#read.get(name);
			if (known?.changed !== changed) {
				known = { changed, description: readDescription(await readFile(schema, 'utf8')) };
				this.#read.set(name, known);
			}
			return known.description;
		} catch (cause) {
			const { code, message } = cause as NodeJS.ErrnoException;
			throw new Error(`couldn't read the OpenAPI description of '${name}' (${code ?? message}): ${schema}`, { cause });
		}
	}
}

function readOperation(description: ApiDescription, provider: string, name: string): ApiOperation | undefined {
	try {
		return description.readOperation(name);
	} catch (cause) {
		throw new Error(`the operation '${name}' of '${provider}' can't be called: ${(cause as Error).message}`, { cause });
	}
}

function createApiTool(
	operation: ApiOperation,
	provider: string,
	base: string,
	{ getHeaders, maskKeys, baseUrl }: ApiSettings,
): EngineTool {
	const { name, description, parameters } = operation;
	return {
		name,
		provider,
		description,
		parameters,
		// an address from the configuration is trusted; an address from a description may belong to anyone
		use: async (given, { services, signal }) =>
			callApi(operation, given, {
				base,
				headers: getHeaders(),
				maskKeys,
				services,
				...(baseUrl !== undefined && { trustedOrigin: new URL(baseUrl).origin }),
				signal,
			}),
	};
}
