import assert from 'node:assert/strict';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findNodeKind, nodeKinds } from '#agentFile/nodeKinds/nodeKinds.ts';
import { nodeTypes } from '#engine/nodes/nodeTypes.ts';

const sources = fileURLToPath(new URL('../../../../src/', import.meta.url));
/** Types that are also ordinary words. A file with only these isn't considered a list of node types. */
const words = new Set(['start', 'end', 'answer', 'agent', 'tool', 'code', 'loop', 'datasource']);
/** Matches comments, types of fields, roles and units, which may contain the words. */
const other = /^\s*(?:\/?\*|\/\/).*$|\w\['[^']*'\]|(?:\brole|getNodeRole\([^)]*\)) [!=]== '[^']*'|formatQuantity\([^)]*\)/gm;

/** Returns node types that a source uses as values, or as keys if they aren't ordinary words. */
function findNodeTypes(source: string): readonly string[] {
	const text = source.replaceAll(other, '');
	const keys = [...text.matchAll(/^\s*([a-z]+): /gm)].map(([, key = '']) => key).filter(key => !words.has(key));
	const named = [...[...text.matchAll(/'([a-z-]+)'/g)].map(([, value = '']) => value), ...keys];
	return [...new Set(named)].filter(type => findNodeKind(type));
}

describe('the kinds of nodes', () => {
	it('contain each type once', () => {
		assert.deepEqual(
			nodeKinds.map(({ type }) => type),
			[...new Set(nodeKinds.map(({ type }) => type))],
		);
	});

	it('include every file of their folder', async () => {
		const files = fs.globSync('agentFile/nodeKinds/*.ts', { cwd: sources });
		const exported = await Promise.all(files.map(async file => Object.values((await import(`${sources}${file}`)) as object)));
		const kinds = exported.flat().filter(value => typeof value === 'object' && value !== null && 'type' in value && 'icon' in value);
		assert.deepEqual(new Set(kinds), new Set(nodeKinds));
	});

	it('include each type that the engine runs', () => {
		assert.deepEqual(
			[...nodeTypes.keys()].filter(type => !findNodeKind(type)),
			[],
		);
	});

	it('are not listed again anywhere else', () => {
		const files = fs
			.globSync('**/*.ts', { cwd: sources })
			.map(file => file.replaceAll('\\', '/'))
			.filter(file => !/^(agentFile\/nodeKinds|engine\/nodes)\//.test(file));
		const lists = files.flatMap(file => {
			const types = findNodeTypes(fs.readFileSync(`${sources}${file}`, 'utf8'));
			return types.length >= 3 && types.some(type => !words.has(type)) ? [`${file}: ${types.join(', ')}`] : [];
		});
		assert.deepEqual(lists, []);
	});
});
