import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { commandIds } from '#base/commandIds.ts';
import { milestones } from '#editor/platform/milestones.ts';
import { root } from '../../../scripts/lib/paths.ts';

interface Item {
	readonly command?: string;
	readonly title?: string;
	readonly category?: string;
	readonly when?: string;
	readonly contents?: string;
	readonly view?: string;
}

const readJsonFile = (file: string) => JSON.parse(fs.readFileSync(path.join(root, file), 'utf8'));
const texts = readJsonFile('package.nls.json') as Record<string, string>;
const { contributes } = readJsonFile('package.json') as {
	contributes: {
		commands: Item[];
		menus: Record<string, Item[]>;
		keybindings?: Item[];
		viewsWelcome: Item[];
		views: Record<string, { id: string }[]>;
	};
};
const ids: readonly string[] = commandIds;
const ofViews = Object.values(contributes.views)
	.flat()
	.map(({ id }) => `${id}.focus`);
const isOurs = (id: string) => id.startsWith('agentWorkbench.');

describe('the command table', () => {
	it('contains each command once', () => {
		assert.equal(new Set(ids).size, ids.length);
	});

	it('matches package.json, with a separate title for each command', () => {
		const declared = contributes.commands.map(({ command }) => command ?? '');
		assert.deepEqual(declared.toSorted(), [...ids].sort());
		for (const { command, title } of contributes.commands) {
			const [, key] = /^%(.+)%$/.exec(title ?? '') ?? [];
			assert.equal(key, command?.replace('agentWorkbench', 'command'));
			assert.ok(texts[key!]?.trim(), `${key} in package.nls.json`);
		}
	});

	it('has a category for each command, and titles without typographic quotes or final periods', () => {
		const categories = new Set(contributes.commands.map(({ category = '' }) => texts[category.slice(1, -1)] ?? category));
		assert.deepEqual([...categories].sort(), ['Agent Workbench', 'Agent Workbench Chat', 'Agent Workbench Dify', 'Agent Workbench Run']);
		const titles = contributes.commands.map(({ title }) => texts[title!.slice(1, -1)]!);
		assert.deepEqual(
			titles.filter(title => /[“”‘’]|\.$/.test(title)),
			[],
		);
	});

	it('never shows more than 70 commands in the palette', () => {
		const conditional = new Set(contributes.menus['commandPalette']?.map(({ command, when }) => when && command));
		const shown = ids.filter(id => !conditional.has(id));
		assert.ok(shown.length <= 70, `${shown.length} commands are always shown in the palette`);
	});

	it('has titles only for existing commands', () => {
		const keys = Object.keys(texts).filter(key => key.startsWith('command.'));
		assert.deepEqual(keys.sort(), ids.map(id => id.replace('agentWorkbench', 'command')).sort());
	});

	for (const [menu, items] of [...Object.entries(contributes.menus), ['keybindings', contributes.keybindings ?? []] as const]) {
		it(`contains the commands of ${menu}`, () => {
			const unknown = items.flatMap(({ command }) => (command && isOurs(command) && !ids.includes(command) ? [command] : []));
			assert.deepEqual(unknown, []);
		});
	}

	it('contains the commands of welcome views and walkthroughs', () => {
		const links = [...JSON.stringify([texts, contributes]).matchAll(/\(command:([\w.]+)/g)].map(([, id]) => id!);
		assert.ok(links.length > 0);
		assert.deepEqual(
			links.filter(id => isOurs(id) && !ids.includes(id) && !ofViews.includes(id)),
			[],
		);
	});

	it('has a milestone for each step of the walkthrough', () => {
		const wanted = [...JSON.stringify(contributes).matchAll(/"onContext:agentWorkbench\.(\w+)"/g)].map(([, name]) => name);
		assert.deepEqual(wanted.sort(), milestones.toSorted());
	});

	it('contains the commands that the code executes and links to', () => {
		const nouns = new Set(ids.map(id => id.split('.')[1]));
		const named = fs
			.globSync('src/**/*.ts', { cwd: root })
			.map(file => file.replaceAll(path.sep, '/'))
			.flatMap(file =>
				[
					...fs
						.readFileSync(path.join(root, file), 'utf8')
						.matchAll(/(?:executeCommand(?:<[^>]*>)?\(|command:)\s*'(agentWorkbench\.(\w+)\.\w+)'/g),
				].map(([, id, noun]) => ({ file, id: id!, noun: noun! })),
			);
		assert.ok(named.length > 20);
		assert.deepEqual(
			named.filter(({ id, noun }) => nouns.has(noun) && !ids.includes(id) && !ofViews.includes(id)),
			[],
		);
	});
});
