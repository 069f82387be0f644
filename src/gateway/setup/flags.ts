import { parseArgs } from 'node:util';
import type { LogFormat } from '../process/log.ts';
import { isOrigin } from '../server/allowedOrigins.ts';

/** Values from the command line. Fields that weren't given are absent. */
export interface Flags {
	readonly host: string;
	/** Names that clients may use for the gateway besides its address. */
	readonly allowedHosts: readonly string[];
	/** Origins of web pages that may use the gateway, in addition to those of the configuration. */
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
	/** Days to keep finished runs; 0 keeps them forever. */
	readonly retentionDays: number;
	/** True to move a damaged or newer store aside and create a new one. */
	readonly setAsideStore: boolean;
	readonly log: LogFormat;
	readonly help: boolean;
}

/** An invalid setting. The message is the only line shown before the process exits with code 2. */
export class SettingError extends Error {
	override readonly name = 'SettingError';
}

export const helpText = `Usage: node gateway.js --data DIR [--agents DIR]... [options]

Serves AI agents on this machine: workflows, conversations and text generation.

  --data DIR                 folder for the store, the lock and the key; created if missing
  --agents DIR               folder with agent files (*.yml); can be repeated
  --port N                   port to listen on (default 0: any free port)
  --host ADDR                address to listen on (default 127.0.0.1); any other needs --api-key-file or a key on stdin
  --allow-host NAME          additional name that clients can use for this service (its Host header), for example
                             behind a proxy or in a container network; can be repeated
  --allow-origin ORIGIN      origin of web pages that can use this service with its key, for example
                             http://localhost:3000; can be repeated (default: none)
  --api-key-file FILE        file with the key that clients must send; must not be readable by others
                             (default: a random key, saved in DIR/gateway.key)
  --config FILE              JSON configuration file with "routes", "agents", "knowledge", "network" and "engine"
  --key-file FILE            JSON file with upstream keys by name; must not be readable by others
  --stdin-keys               read keys from the first line of stdin: {"api_key": "...", "keys": {"NAME": "..."}, "proxy": "..."}
  --max-concurrent-runs N    maximum number of concurrent runs; further runs wait (default 256)
  --retention-days N         days to keep finished runs, uploads and responses (default 0: forever)
  --set-aside-store          if the store is damaged or newer than this gateway, move it into a folder next to it and
                             create a new one
  --exit-when-idle SECONDS   exit this long after the last client has detached, but never during a run
  --ready-json               print one JSON line on stdout when listening
  --log json|text            format of the log lines on stderr (default text)
  --help                     show this help

Exit codes: 0 stopped, 1 failed, 2 invalid flag or configuration, 3 the data folder is in use,
4 the store can't be opened (with --log json, a line on stderr has the reason).
`;

/** Parses the command line. Throws a {@link SettingError} that names the invalid flag and the expected value. */
export function parseFlags(args: readonly string[]): Flags {
	const values = parseArguments(args);
	const data = values.data;
	if (data === undefined && !values.help) {
		throw new SettingError('--data is required. Expected a folder.');
	}
	const log = values.log ?? 'text';
	if (log !== 'json' && log !== 'text') {
		throw new SettingError(`--log: '${log}' isn't a valid format. Expected json or text.`);
	}
	return {
		host: values.host ?? '127.0.0.1',
		allowedHosts: (values['allow-host'] ?? []).map(checkHostName),
		allowedOrigins: (values['allow-origin'] ?? []).map(checkOrigin),
		port: parseWholeNumber('port', values.port ?? '0', 0, 65_535),
		data: data ?? '',
		agents: values.agents ?? [],
		readyJson: values['ready-json'] ?? false,
		...(values['api-key-file'] !== undefined && { apiKeyFile: values['api-key-file'] }),
		...(values.config !== undefined && { config: values.config }),
		...(values['key-file'] !== undefined && { keyFile: values['key-file'] }),
		stdinKeys: values['stdin-keys'] ?? false,
		maxConcurrentRuns: parseWholeNumber('max-concurrent-runs', values['max-concurrent-runs'] ?? '256', 1, 100_000),
		...(values['exit-when-idle'] !== undefined && {
			exitWhenIdleSeconds: parseWholeNumber('exit-when-idle', values['exit-when-idle'], 0, 86_400),
		}),
		retentionDays: parseWholeNumber('retention-days', values['retention-days'] ?? '0', 0, 36_500),
		setAsideStore: values['set-aside-store'] ?? false,
		log,
		help: values.help ?? false,
	};
}

function parseArguments(args: readonly string[]) {
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
		throw new SettingError(`${error instanceof Error ? error.message.split('. ')[0] : String(error)}. Use --help to see all flags.`);
	}
}

function checkHostName(name: string): string {
	if (!/^[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?$/i.test(name)) {
		throw new SettingError(`--allow-host: '${name}' isn't a valid name. Expected a name without a port, for example gateway.example.com.`);
	}
	return name;
}

function checkOrigin(origin: string): string {
	if (!isOrigin(origin)) {
		throw new SettingError(
			`--allow-origin: '${origin}' isn't a valid origin. Expected an origin without a path or "*", for example http://localhost:3000.`,
		);
	}
	return origin;
}

function parseWholeNumber(flag: string, text: string, min: number, max: number): number {
	const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
	if (!(value >= min && value <= max)) {
		throw new SettingError(`--${flag}: '${text}' isn't a valid number. Expected a whole number from ${min} to ${max}.`);
	}
	return value;
}
