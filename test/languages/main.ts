// Opens the sample workspace in each language, visits the tree, menus and pages, and saves screenshots to
// .vscode-test/out/languages/LANGUAGE. Prints texts that are still English and texts that don't fit. Usage, after `npm run build`: `node
// test/languages/main.ts [LANGUAGE…] [PART…]`, by default zh-cn, ja and the pseudo-language qps-ploc with all parts of the tour: 1 pages, 2
// questions and failures, 3 a window without a folder. A person has to look at the pictures, because no program notices an ugly line break.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/lib/paths.ts';
import { openWorkbench, type SessionOptions } from '../ui/driver/session.ts';
import { picturesFolder, Tour } from './tour.ts';
import { visitFailures } from './visitFailures.ts';
import { visitEmptyWindow, visitScreens } from './visitScreens.ts';

interface Part {
	readonly options: SessionOptions;
	visit(tour: Tour): Promise<void>;
}

const unreachable = { id: 'far', name: 'Faraway', kind: 'anthropic-compatible', baseUrl: 'http://127.0.0.1:9' };
const parts: readonly Part[] = [
	{ options: {}, visit: visitScreens },
	{ options: { settings: { 'agentWorkbench.connections': [unreachable] } }, visit: visitFailures },
	{ options: { workspace: null }, visit: visitEmptyWindow },
];

const names = process.argv.slice(2);
const languages = names.filter(name => !/^\d$/.test(name));
const chosen = names.filter(name => /^\d$/.test(name)).map(Number);
for (const language of languages.length > 0 ? languages : ['zh-cn', 'ja', 'qps-ploc']) {
	if (language === 'qps-ploc') {
		execFileSync(process.execPath, ['scripts/l10n.ts', '--pseudo'], { cwd: root });
	}
	const folder = path.join(picturesFolder, language);
	fs.mkdirSync(folder, { recursive: true });
	const lines = new Map<string, string>();
	for (const [at, { options, visit }] of parts.entries()) {
		if (chosen.length > 0 && !chosen.includes(at + 1)) {
			continue;
		}
		const session = await openWorkbench({ ...options, language });
		try {
			session.workbench.page.setDefaultTimeout(30_000);
			const tour = new Tour(session.workbench, language, at + 1);
			await visit(tour);
			for (const { what, text, where, element } of tour.findings) {
				lines.set(`${what} ${text} ${element}`, `${what}: ${text}  (${where}; ${element})`);
			}
		} finally {
			await session.close();
		}
	}
	fs.writeFileSync(path.join(folder, 'findings.txt'), `${[...lines.values()].toSorted().join('\n')}\n`);
	console.log(`${language}: ${lines.size} findings and pictures in ${path.relative(root, folder)}`);
}
