import { parseArgs } from 'node:util';
import type { LogFormat } from '../process/log.ts';
import { isOrigin } from '../server/allowedOrigins.ts';

/** What the command line asks for; absent fields were not given. */
export interface Flags {
	readonly host: string;
	/** Names that clients may call the gateway by, besides its address. */
	readonly allowedHosts: readonly string[];
	/** Origins of web pages that may use the gateway, besides those of the configuration. */
	readonly allowedOrigins: readonly string[];
	readonly port: number;
	readonly data: string;
	readonly agents: readonly string[];
	readonly readyJson: boolean;
	readonly apiKeyFile?: string;
	readonly config?: string;
	readonly keyFile?: string;
	readonly stdinKeys: boolean;
	readonly maxConcurrentRuns: number;
	readonly exitWhenIdleSeconds?: number;
	/** Days that finished runs are kept; 0 keeps them for ever. */
	readonly retentionDays: number;
	/** Whether a store that is damaged or newer is moved aside, and a new one begun. */
	readonly setAsideStore: boolean;
	readonly log: LogFormat;
	readonly help: boolean;
}

/** A setting that cannot be used: its message is the one line that is shown before the process ends with exit code 2. */
export class SettingError extends Error {
	override readonly name = 'SettingError';
}

export const helpText = `Usage: node gateway.js --data DIR [--agents DIR]... [options]

A service for AI agents on this machine: workflows, conversations and text generation.

  --data DIR                 folder of the store, the lock and the key; made if missing
  --agents DIR               folder of agent files (*.yml); may be given several times
  --port N                   port to listen on (default 0: any free port)
  --host ADDR                address to listen on (default 127.0.0.1); another one needs a key of yours
  --allow-host NAME          name that clients may call this service by (its Host header), besides its address,
                             as behind a proxy or in a network of containers; may be given several times
  --allow-origin ORIGIN      origin of web pages that may use this service with its key, as in http://localhost:3000;
                             may be given several times (default: none)
  --api-key-file FILE        file with the key that clients must send; refused if others can read it
                             (default: a random key, kept in DIR/gateway.key)
  --config FILE              JSON file with "routes", "agents", "knowledge", "network" and "engine"
  --key-file FILE            JSON file with upstream keys by name; refused if others can read it
  --stdin-keys               first line of stdin: {"api_key": "...", "keys": {"NAME": "..."}, "proxy": "..."}
  --max-concurrent-runs N    runs at a time; more wait their turn (default 256)
  --retention-days N         days that finished runs, uploads and responses are kept (default 0: for ever)
  --set-aside-store          move a store that is damaged, or newer than this gateway, into a folder beside it and begin
                             a new one; a whole store stays
  --exit-when-idle SECONDS   end that long after the last attachment has gone, never under a run
  --ready-json               print one JSON line on stdout when listening
  --log json|text            form of the log lines on stderr (default text)
  --help                     show this

Exit codes: 0 ended, 1 failed, 2 bad flag or configuration, 3 the data folder is in use,
4 the store cannot be opened (with --log json a line on stderr has the reason).
`;

/** Reads the command line. Throws a {@link SettingError} that names the flag and what was expected. */
export function parseFlags(args: readonly string[]): Flags {
	const values = parse(args);
	const data = values.data;
	if (data === undefined && !values.help) {
		throw new SettingError('--data is missing: expected a folder.');
	}
	const log = values.log ?? 'text';
	if (log !== 'json' && log !== 'text') {
		throw new SettingError(`--log ${log}: expected json or text.`);
	}
	return {
		host: values.host ?? '127.0.0.1',
		allowedHosts: (values['allow-host'] ?? []).map(hostName),
		allowedOrigins: (values['allow-origin'] ?? []).map(pageOrigin),
		port: wholeNumber('port', values.port ?? '0', 0, 65_535),
		data: data ?? '',
		agents: values.agents ?? [],
		readyJson: values['ready-json'] ?? false,
		...(values['api-key-file'] !== undefined && { apiKeyFile: values['api-key-file'] }),
		...(values.config !== undefined && { config: values.config }),
		...(values['key-file'] !== undefined && { keyFile: values['key-file'] }),
		stdinKeys: values['stdin-keys'] ?? false,
		maxConcurrentRuns: wholeNumber('max-concurrent-runs', values['max-concurrent-runs'] ?? '256', 1, 100_000),
		...(values['exit-when-idle'] !== undefined && {
			exitWhenIdleSeconds: wholeNumber('exit-when-idle', values['exit-when-idle'], 0, 86_400),
		}),
		retentionDays: wholeNumber('retention-days', values['retention-days'] ?? '0', 0, 36_500),
		setAsideStore: values['set-aside-store'] ?? false,
		log,
		help: values.help ?? false,
	};
}

function parse(args: readonly string[]) {
	try {
		return parseArgs({
			args: [...args],
			options: {
				host: { type: 'string' },
				'allow-host': { type: 'string', multiple: true },
				'allow-origin': { type: 'string', multiple: true },
				port: { type: 'string' },
				data: { type: 'string' },
				agents: { type: 'string', multiple: true },
				'ready-json': { type: 'boolean' },
				'api-key-file': { type: 'string' },
				config: { type: 'string' },
				'key-file': { type: 'string' },
				'stdin-keys': { type: 'boolean' },
				'max-concurrent-runs': { type: 'string' },
				'exit-when-idle': { type: 'string' },
				'retention-days': { type: 'string' },
				'set-aside-store': { type: 'boolean' },
				log: { type: 'string' },
				help: { type: 'boolean' },
			},
		}).values;
	} catch (error) {
		throw new SettingError(`${error instanceof Error ? error.message.split('. ')[0] : String(error)}. Run with --help for the flags.`);
	}
}

function hostName(name: string): string {
	if (!/^[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?$/i.test(name)) {
		throw new SettingError(`--allow-host ${name}: expected a name without a port, as in gateway.example.com.`);
	}
	return name;
}

function pageOrigin(origin: string): string {
	if (!isOrigin(origin)) {
		throw new SettingError(`--allow-origin ${origin}: expected an origin without a path or "*", as in http://localhost:3000.`);
	}
	return origin;
}

function wholeNumber(flag: string, text: string, min: number, max: number): number {
	const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
	if (!(value >= min && value <= max)) {
		throw new SettingError(`--${flag} ${text}: expected a whole number from ${min} to ${max}.`);
	}
	return value;
}
