import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createTemporaryFolder } from '../../contract/gateway/gatewayProcess.ts';

const program = path.resolve(import.meta.dirname, '../../../dist/gateway.js');

/** True if this machine can give a process a small disk (Linux with user namespaces). */
export const canHaveSmallDisks = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

/** A gateway whose data folder is a separate disk, which can be filled. */
export interface SmallDisk {
	readonly baseUrl: string;
	/** The data folder, as seen from outside. */
	readonly data: string;
	readonly child: ChildProcess;
	getLog(): string;
	/** Fills the disk. */
	fillSpace(): void;
	/** Frees the space again. */
	freeSpace(): void;
	sendRequest(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }>;
	/** Ends the gateway, and resolves with its exit code. */
	endGateway(): Promise<number | null>;
}

/**
 * Starts a gateway on a disk of this many megabytes. `prepare` is a shell command that runs in the data folder first, for example to fill
 * it. A gateway that doesn't start has no `baseUrl`.
 */
export async function startGatewayOnSmallDisk(
	megabytes: number,
	agents: Readonly<Record<string, string>>,
	prepare = 'true',
): Promise<SmallDisk> {
	const folder = createTemporaryFolder();
	const agentsFolder = createTemporaryFolder();
	for (const [name, text] of Object.entries(agents)) {
		fs.writeFileSync(path.join(agentsFolder, `${name}.yml`), text);
	}
	const keyFile = path.join(createTemporaryFolder(), 'key');
	fs.writeFileSync(keyFile, 'the-key-of-the-small-disk\n', { mode: 0o600 });
	const gateway = [
		process.execPath,
		program,
		'--data',
		folder,
		'--agents',
		agentsFolder,
		'--api-key-file',
		keyFile,
		'--ready-json',
		'--log',
		'json',
	];
	const script = `mount -t tmpfs -o size=${megabytes}m none "$0" && cd "$0" && ${prepare}; exec "$@"`;
	const child = spawn('unshare', ['-rm', 'sh', '-c', script, folder, ...gateway], { stdio: ['ignore', 'pipe', 'pipe'] });
	let log = '';
	child.stderr.on('data', (chunk: Buffer) => {
		log += chunk;
	});
	const closed = once(child, 'close');
	let baseUrl = '';
	for await (const line of createInterface({ input: child.stdout })) {
		baseUrl = (JSON.parse(line) as { base_url: string }).base_url;
		break;
	}
	const data = `/proc/${child.pid}/root${folder}`;
	const ballast = path.join(data, 'ballast');
	return {
		baseUrl,
		data,
		child,
		getLog: () => log,
		fillSpace: () => fillDisk(ballast),
		freeSpace: () => fs.rmSync(ballast),
		async sendRequest(method, target, body) {
			const response = await fetch(baseUrl + target, {
				method,
				headers: { authorization: 'Bearer the-key-of-the-small-disk', 'content-type': 'application/json' },
				...(body !== undefined && { body: JSON.stringify(body) }),
			});
			return { status: response.status, text: await response.text() };
		},
		async endGateway() {
			child.kill('SIGTERM');
			const [code] = (await closed) as [number | null];
			return code;
		},
	};
}

function fillDisk(file: string): void {
	const handle = fs.openSync(file, 'a');
	try {
		for (const size of [1 << 16, 4096]) {
			try {
				for (;;) {
					fs.writeSync(handle, Buffer.alloc(size));
				}
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') {
					throw error;
				}
			}
		}
	} finally {
		fs.closeSync(handle);
	}
}
