/** Address of a service, the keys for its endpoint groups, and a model to start with. */
export interface ServiceAccess {
	/** Name of the connection. */
	readonly name: string;
	/** Base URL without a trailing slash. */
	readonly baseUrl: string;
	readonly keys: { readonly agent?: string | undefined; readonly messages?: string | undefined; readonly content?: string | undefined };
	readonly model: string;
}

/** A program that can use the service. */
interface ClientSetup {
	readonly label: string;
	/** Endpoint group that the program uses (contract, "Rules for all"). */
	readonly group: 'agent' | 'messages' | 'content';
	/** Format of the text to paste, which also determines where to paste it. */
	readonly language: 'shell' | 'json' | 'dotenv';
	format(access: ServiceAccess, shell: Shell): string;
}

/** Syntax of the terminal's shell. */
export type Shell = 'posix' | 'powershell';

/** Returns the shell of the system's terminals. */
export function getTerminalShell(platform: NodeJS.Platform = process.platform): Shell {
	return platform === 'win32' ? 'powershell' : 'posix';
}

/** The supported programs. Their configurations follow the programs' documentation as of November 2026. */
export const clientSetups: readonly ClientSetup[] = [
	{
		label: 'Claude Code',
		group: 'messages',
		language: 'shell',
		format: ({ baseUrl, keys, model }, shell) =>
			formatShellLines(
				shell,
				{
					ANTHROPIC_BASE_URL: baseUrl,
					ANTHROPIC_AUTH_TOKEN: keys.messages ?? '',
					ANTHROPIC_MODEL: model,
					ANTHROPIC_SMALL_FAST_MODEL: model,
				},
				'claude',
			),
	},
	{
		label: 'Gemini CLI',
		group: 'content',
		language: 'shell',
		format: ({ baseUrl, keys, model }, shell) =>
			formatShellLines(
				shell,
				{ GOOGLE_GEMINI_BASE_URL: baseUrl, GEMINI_API_KEY: keys.content ?? '' },
				`gemini --model ${quoteForShell(model, shell)}`,
			),
	},
	{
		label: 'VS Code: Custom Endpoint',
		group: 'messages',
		language: 'json',
		format: ({ name, baseUrl, keys, model }) =>
			`${JSON.stringify(
				[
					{
						name,
						vendor: 'customendpoint',
						apiType: 'messages',
						apiKey: keys.messages ?? '',
						models: [
							{
								id: model,
								name: model,
								url: `${baseUrl}/v1/messages`,
								toolCalling: true,
								vision: true,
								maxInputTokens: 128_000,
								maxOutputTokens: 16_000,
							},
						],
					},
				],
				null,
				2,
			)}\n`,
	},
	{
		label: 'cURL',
		group: 'messages',
		language: 'shell',
		format: ({ baseUrl, keys, model }, shell) => {
			const body = JSON.stringify({ model, max_tokens: 256, messages: [{ role: 'user', content: 'Hello' }] });
			const args = [
				`--header ${quoteForShell('content-type: application/json', shell)}`,
				`--header ${quoteForShell(`x-api-key: ${keys.messages ?? ''}`, shell)}`,
				`--header ${quoteForShell('anthropic-version: 2023-06-01', shell)}`,
				`--data-raw ${quoteForShell(shell === 'powershell' ? body.replaceAll('"', '\\"') : body, shell)}`,
			];
			// in older versions of PowerShell, `curl` is an alias for Invoke-WebRequest
			const program = shell === 'powershell' ? 'curl.exe' : 'curl';
			return `${[`${program} ${quoteForShell(`${baseUrl}/v1/messages`, shell)}`, ...args].join(shell === 'posix' ? ' \\\n  ' : ' `\n  ')}\n`;
		},
	},
	{
		label: '.env',
		group: 'messages',
		language: 'dotenv',
		format: ({ baseUrl, keys, model }) =>
			formatDotenv({
				AGENT_BASE_URL: keys.agent === undefined ? undefined : baseUrl,
				AGENT_API_KEY: keys.agent,
				ANTHROPIC_BASE_URL: keys.messages === undefined ? undefined : baseUrl,
				ANTHROPIC_API_KEY: keys.messages,
				ANTHROPIC_MODEL: keys.messages === undefined ? undefined : model,
				GOOGLE_GEMINI_BASE_URL: keys.content === undefined ? undefined : baseUrl,
				GEMINI_API_KEY: keys.content,
			}),
	},
];

const codexKey = 'AGENT_WORKBENCH_KEY';

/** Codex CLI, which needs OpenAI's Responses API. Only the built-in gateway is known to serve it. */
export const codexSetup: ClientSetup = {
	label: 'Codex CLI',
	group: 'messages',
	language: 'shell',
	format: ({ baseUrl, keys, model }, shell) => {
		const provider = { name: 'Agent Workbench', base_url: `${baseUrl}/v1`, env_key: codexKey, wire_api: 'responses' };
		const settings = Object.entries(provider).map(([name, value]) => [`model_providers.workbench.${name}`, value] as const);
		const options = ([['model_provider', 'workbench'], ...settings] as const).map(
			([name, value]) => `-c ${quoteForShell(`${name}=${JSON.stringify(value)}`, shell)}`,
		);
		return formatShellLines(
			shell,
			{ [codexKey]: keys.messages ?? '' },
			['codex', '--model', quoteForShell(model, shell), ...options].join(' '),
		);
	},
};

/** Programs for services with OpenAI's protocol. OpenAI's SDKs read these variables. */
export const openAiSetups: readonly ClientSetup[] = [
	{
		label: 'OpenAI SDK',
		group: 'messages',
		language: 'dotenv',
		format: ({ baseUrl, keys, model }) =>
			formatDotenv({
				OPENAI_BASE_URL: new URL(baseUrl).pathname === '/' ? `${baseUrl}/v1` : baseUrl,
				OPENAI_API_KEY: keys.messages,
				OPENAI_MODEL: model,
			}),
	},
];

function formatDotenv(values: Readonly<Record<string, string | undefined>>): string {
	return Object.entries(values)
		.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${quoteDotenvValue(value)}\n`]))
		.join('');
}

function formatShellLines(shell: Shell, variables: Readonly<Record<string, string>>, command: string): string {
	const set = Object.entries(variables).map(([name, value]) =>
		shell === 'posix' ? `export ${name}=${quoteForShell(value, shell)}` : `$env:${name} = ${quoteForShell(value, shell)}`,
	);
	return `${[...set, command].join('\n')}\n`;
}

/**
 * Quotes a text as a single shell argument. Drops control characters, because a terminal acts on them before the shell sees the quotes. In
 * PowerShell, also doubles typographic quotes, which it treats like straight ones.
 */
export function quoteForShell(text: string, shell: Shell): string {
	const plain = stripControlCharacters(text);
	return shell === 'posix' ? `'${plain.replaceAll("'", `'\\''`)}'` : `'${plain.replaceAll(/['\u2018-\u201b]/g, '$&$&')}'`;
}

/** Quotes a text as a value in an environment file, so that both dotenv parsers and shells can read the file. */
function quoteDotenvValue(text: string): string {
	const plain = stripControlCharacters(text);
	return /[$`\\"]/.test(plain) && !plain.includes("'") ? `'${plain}'` : JSON.stringify(plain).replaceAll(/[$`]/g, '\\$&');
}

function stripControlCharacters(text: string): string {
	return text.replaceAll(/\p{Cc}/gu, '');
}
