import fs from 'node:fs';
import path from 'node:path';
import { restFiles } from '../test/restFiles.ts';

/** Layers of tests, in the order in which they run. */
export const layers = ['unit', 'fuzz', 'contract', 'cli', 'faults', 'host', 'ui'] as const;
export type Layer = (typeof layers)[number];

/** A test file that can reach a source. */
export interface ReachingFile {
	/** Relative to the checkout. */
	readonly file: string;
	readonly layer: Layer;
	/** True if only `npm run test:rest` runs it. */
	readonly isRest: boolean;
	/** Number of imports from the test to the source. */
	readonly distance: number;
}

/** Sources that tests start as built programs instead of importing them. */
const programs: Partial<Record<Layer, readonly string[]>> = {
	contract: ['src/gateway/main.ts', 'src/suites/checks/thread/checkThread.ts'],
	faults: ['src/gateway/main.ts'],
	cli: ['src/cli/main.ts', 'src/gateway/main.ts'],
	host: ['src/extension.ts', 'src/gateway/main.ts'],
	ui: ['src/extension.ts', 'src/gateway/main.ts', ...fs.globSync('src/pages/*/main.ts')],
};

/** Imports of all sources and tests, and the order of tests that follows from them. */
export class TestOrder {
	readonly #root: string;
	readonly #imports = new Map<string, readonly string[]>();
	readonly #tests: readonly { file: string; layer: Layer; isRest: boolean }[];

	/** @param root the checkout */
	constructor(root: string) {
		this.#root = root;
		this.#tests = layers.flatMap(layer =>
			fs.globSync(`test/${layer}/**/*.test.ts`, { cwd: root }).map(found => {
				const file = found.replaceAll(path.sep, '/');
				return { file, layer, isRest: layer === 'fuzz' || restFiles.some(glob => path.posix.matchesGlob(file, glob)) };
			}),
		);
	}

	/** Returns the test files that can reach a source: by layer, the nearest and most similarly named first. */
	listReachingFiles(source: string): readonly ReachingFile[] {
		const words = new Set(splitWords(source));
		const countSharedWords = (file: string): number => splitWords(file).filter(word => words.has(word)).length;
		return this.#tests
			.map(test => ({ ...test, distance: this.#getDistance(test, source) }))
			.filter(({ distance }) => distance < Number.POSITIVE_INFINITY)
			.sort(
				(a, b) =>
					layers.indexOf(a.layer) - layers.indexOf(b.layer) ||
					a.distance - b.distance ||
					countSharedWords(b.file) - countSharedWords(a.file),
			);
	}

	#getDistance({ file, layer }: { file: string; layer: Layer }, source: string): number {
		let level = [file, ...(programs[layer] ?? [])];
		const seen = new Set(level);
		for (let distance = 0; level.length > 0; distance++) {
			if (level.includes(source)) {
				return distance;
			}
			level = level.flatMap(each => this.#getImports(each)).filter(each => !seen.has(each) && seen.add(each));
		}
		return Number.POSITIVE_INFINITY;
	}

	#getImports(file: string): readonly string[] {
		let known = this.#imports.get(file);
		if (!known) {
			const full = path.join(this.#root, file);
			known = fs.existsSync(full) ? findImportedFiles(file, fs.readFileSync(full, 'utf8')) : [];
			this.#imports.set(file, known);
		}
		return known;
	}
}

/** Returns the files that a file imports at run time, starts as a thread, or gives to a bundler: all that it names and that may exist. */
function findImportedFiles(file: string, text: string): readonly string[] {
	const code = text.replaceAll(/^\s*(?:import|export) type [^;]+;/gm, '');
	return [...code.matchAll(/['"](#?[\w./-]+\.ts)['"]/g)].map(([, name]) =>
		name!.startsWith('#') ? `src/${name!.slice(1)}` : path.posix.join(path.posix.dirname(file), name!),
	);
}

const splitWords = (file: string): string[] =>
	file
		.replace(/\.(test\.)?ts$/, '')
		.split(/\/|(?=[A-Z])/)
		.map(word => word.toLowerCase());
