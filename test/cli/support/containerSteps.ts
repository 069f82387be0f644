import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** One instruction of a Dockerfile. */
interface Instruction {
	readonly name: string;
	readonly value: string;
}

/**
 * Carries out the steps of a Dockerfile in an empty folder, because tests have no container engine: the folder takes the place of the
 * image's root for the folders that the file names.
 */
export class ContainerSteps {
	/** Takes the place of `/`. */
	readonly root: string;
	readonly #build: string;
	readonly #instructions: readonly Instruction[];
	readonly #port: number;
	#workdir: string;
	#user: number | undefined;

	/**
	 * @param build folder with the files to copy
	 * @param port takes the place of the port that the file exposes
	 */
	constructor(dockerfile: string, build: string, root: string, port: number) {
		this.#instructions = parseDockerfile(dockerfile);
		this.#build = build;
		this.root = root;
		this.#workdir = root;
		this.#port = port;
	}

	/** Returns the value of the last instruction with this name. */
	getValue(name: string): string {
		return this.#instructions.findLast(each => each.name === name)?.value ?? '';
	}

	/** Carries out all steps. Throws at an instruction that it doesn't know, or if a command fails. */
	buildImage(): void {
		for (const { name, value } of this.#instructions) {
			this.#carryOut(name, value);
		}
	}

	/** Starts a command as the image's user, like the container engine. */
	start(command: readonly string[]): ChildProcess {
		const [file = '', ...args] = command.map(part => this.#mapPaths(part));
		const cwd = this.#workdir;
		return spawn(file.includes('/') ? path.resolve(cwd, file) : file, args, {
			cwd,
			env: this.#environment,
			stdio: ['ignore', 'pipe', 'pipe'],
			...this.#identity,
		});
	}

	/** Returns the command of an instruction in JSON form. */
	getCommand(name: 'CMD' | 'HEALTHCHECK'): string[] {
		const value = this.getValue(name);
		return JSON.parse(value.slice(value.indexOf('['))) as string[];
	}

	/** Only root can start processes as another user. */
	get #identity(): { uid?: number; gid?: number } {
		return this.#user === undefined || process.getuid?.() !== 0 ? {} : { uid: this.#user, gid: this.#user };
	}

	get #environment(): NodeJS.ProcessEnv {
		const home = path.join(this.root, 'home');
		fs.mkdirSync(home, { recursive: true });
		return {
			PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`,
			HOME: home,
			npm_config_offline: 'true',
			npm_config_update_notifier: 'false',
		};
	}

	#carryOut(name: string, value: string): void {
		switch (name) {
			case 'WORKDIR':
				this.#workdir = path.join(this.root, value);
				fs.mkdirSync(this.#workdir, { recursive: true });
				return;
			case 'COPY':
				this.#copyFiles(value.split(' '));
				return;
			case 'RUN':
				execFileSync('sh', ['-ec', this.#mapPaths(value)], { cwd: this.#workdir, env: this.#environment, stdio: 'pipe' });
				return;
			case 'USER':
				this.#user = Number(value);
				return;
			case 'VOLUME':
				fs.statSync(path.join(this.root, value));
				return;
			case 'FROM':
			case 'EXPOSE':
			case 'HEALTHCHECK':
			case 'CMD':
				return;
			default:
				throw new Error(`unknown instruction ${name}`);
		}
	}

	#copyFiles(names: readonly string[]): void {
		const target = names.at(-1) ?? '';
		for (const pattern of names.slice(0, -1)) {
			const files = fs.globSync(pattern, { cwd: this.#build });
			if (files.length === 0) {
				throw new Error(`COPY ${pattern}: no such file`);
			}
			for (const file of files) {
				const to = path.join(this.#workdir, target, target.endsWith('/') ? file : '');
				fs.cpSync(path.join(this.#build, file), to, { recursive: true });
			}
		}
	}

	#mapPaths(text: string): string {
		const own = process.getuid?.() === 0 ? text : text.replaceAll('1000:1000', `${process.getuid?.()}`);
		return own.replaceAll(/(?<![\w./:])\/(?=(?:app|data)\b)/g, `${this.root}/`).replaceAll(this.getValue('EXPOSE'), String(this.#port));
	}
}

function parseDockerfile(text: string): Instruction[] {
	const lines = text
		.replaceAll(/^#.*\n/gm, '')
		.replaceAll('\\\n', ' ')
		.split('\n')
		.filter(line => line.trim() !== '');
	return lines.map(line => ({ name: line.slice(0, line.indexOf(' ')), value: line.slice(line.indexOf(' ') + 1).trim() }));
}
