import fs from 'node:fs';
import path from 'node:path';
import { type ParseError, parse as parseJsonc } from 'jsonc-parser';
import type { Release } from '../release.ts';

/** Major version of npm in the images of each major version of Node.js. */
const npmOfNode: Readonly<Record<number, number>> = { 20: 10, 22: 10, 24: 11 };

/** Check 11: the dev container of the project and that of the samples have a Node.js and npm that fit `engines`. */
export function checkDevContainers({ folder, manifest }: Release): string[] {
	const files = ['.devcontainer/devcontainer.json', 'samples/.devcontainer/devcontainer.json'];
	return files.flatMap(file => {
		const full = path.join(folder, file);
		return fs.existsSync(full)
			? checkDevContainer(fs.readFileSync(full, 'utf8'), manifest.engines).map(fault => `${file}: ${fault}`)
			: [`${file} doesn't exist`];
	});
}

/** Checks the text of a devcontainer.json. */
export function checkDevContainer(text: string, engines: { node?: string; npm?: string }): string[] {
	const errors: ParseError[] = [];
	const { image } = (parseJsonc(text, errors, { allowTrailingComma: true }) ?? {}) as { image?: string };
	if (errors.length > 0) {
		return ["isn't valid JSON"];
	}
	const node = Number(/node:(?:[\d.]+-)?(\d+)/.exec(image ?? '')?.[1]);
	if (!node) {
		return ['names no image with a version of Node.js'];
	}
	return [
		...(fitsRange(node, engines.node) ? [] : [`has Node.js ${node}, but engines.node is ${engines.node}`]),
		...(fitsRange(npmOfNode[node] ?? 0, engines.npm) ? [] : [`has npm ${npmOfNode[node]}, but engines.npm is ${engines.npm}`]),
	];
}

/** True if a major version fits a range such as `>=20`. */
const fitsRange = (major: number, range = '>=0'): boolean => major >= Number(/^>=(\d+)/.exec(range)?.[1] ?? Number.NaN);
