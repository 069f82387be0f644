import assert from 'node:assert/strict';
import { placeSnippet } from '#editor/chat/code/codePlacement.ts';

const placeText = (file: string, snippet: string, language = 'typescript') =>
	placeSnippet(file.split('\n'), snippet.split('\n'), language)?.join('\n');

describe('placing code of a reply in a file', () => {
	const script = `import fs from 'node:fs';

/** Greets. */
export function greet(name: string): string {
	if (name) {
		return 'Hello ' + name;
	}
	return 'Hello';
}

export class Door {
	open(): void {
		this.isOpen = true;
	}

	close(): void {
		this.isOpen = false;
	}
}
`;

	// comparing all pairs of blocks took minutes or overflowed the stack
	it('takes linear time for a reply or a file with many blocks', () => {
		const createLines = (line: (at: number) => string) => Array.from({ length: 15_000 }, (_, at) => line(at));
		const started = process.cpuUsage();
		for (const [file, snippet, language] of [
			[['x'], createLines(() => '#a() {'), 'typescript'],
			[createLines(() => '#a() {'), ['#a() {'], 'typescript'],
			[createLines(at => `k${at}: 1`), createLines(at => `k${at}: 2`), 'yaml'],
			[['k0: 1'], createLines(at => `k${at}: 2`), 'yaml'],
			[['# z'], createLines(at => `# a${at}`), 'markdown'],
			[['x'], createLines(at => `${' '.repeat(Math.min(at, 900))}k:`), 'yaml'],
			[['x'], createLines(at => (at < 900 ? `${' '.repeat(at)}k:` : '')), 'yaml'],
		] as const) {
			placeSnippet(file, snippet, language);
		}
		assert.ok(process.cpuUsage(started).user < 5_000_000, `${process.cpuUsage(started).user / 1e6} s`);
		const long = Array.from({ length: 300_000 }, () => 'text');
		assert.deepEqual(placeSnippet([...long, 'key: 1'], ['key: 2'], 'yaml')?.slice(-2), ['text', 'key: 2']);
	});

	it('replaces only the function with the same name, with its comment', () => {
		const placed = placeText(script, '/** Greets kindly. */\nexport function greet(name = "you"): string {\n\treturn "Hello " + name;\n}');
		assert.equal(
			placed,
			script.replace(
				/\/\*\* Greets[\s\S]*?\n}\n/,
				'/** Greets kindly. */\nexport function greet(name = "you"): string {\n\treturn "Hello " + name;\n}\n',
			),
		);
	});

	it('indents a method like the one it replaces', () => {
		const placed = placeText(script, 'close(): void {\n\tif (this.isOpen) {\n\t\tthis.isOpen = false;\n\t}\n}');
		assert.match(placed ?? '', /\n\tclose\(\): void \{\n\t\tif \(this\.isOpen\) \{\n\t\t\tthis\.isOpen = false;\n\t\t\}\n\t\}\n}\n$/);
		assert.match(placed ?? '', /this\.isOpen = true;/);
	});

	it('inserts a new function after the known one before it, and keeps comments that the reply lacks', () => {
		const known = "export function greet(): string {\n\treturn 'Hi';\n}";
		const placed = placeText(script, `${known}\n\nexport function part(): string {\n\treturn 'Bye';\n}`);
		assert.match(
			placed ?? '',
			/\/\*\* Greets\. \*\/\nexport function greet\(\): string \{\n\treturn 'Hi';\n}\n\nexport function part\(\): string \{\n\treturn 'Bye';\n}\n\nexport class Door/,
		);
	});

	it('replaces a section up to the next heading of the same level', () => {
		const text = '# Title\n\nFirst.\n\n## Use\n\nOld.\n\n### More\n\nOld too.\n\n## End\n\nLast.\n';
		assert.equal(placeText(text, '## Use\n\nNew.', 'markdown'), '# Title\n\nFirst.\n\n## Use\n\nNew.\n\n## End\n\nLast.\n');
	});

	it('replaces a Python function with its decorators, and the value of a YAML key', () => {
		const python = 'import os\n\n@cache\ndef load(path):\n    return open(path).read()\n\ndef other():\n    pass\n';
		assert.equal(
			placeText(python, '@cache\ndef load(path, mode="r"):\n    with open(path, mode) as file:\n        return file.read()'),
			'import os\n\n@cache\ndef load(path, mode="r"):\n    with open(path, mode) as file:\n        return file.read()\n\ndef other():\n    pass\n',
		);
		assert.equal(
			placeText('app:\n  name: a\nmodel:\n  temperature: 0.7\n', 'temperature: 0.2'),
			'app:\n  name: a\nmodel:\n  temperature: 0.2\n',
		);
	});

	it('replaces the lines between the first and last line if the file has both', () => {
		assert.equal(
			placeText('one();\ntwo();\nthree();\nfour();\n', 'two();\ninserted();\nfour();'),
			'one();\ntwo();\ninserted();\nfour();\n',
		);
	});

	it('does not read comments that start with # as headings', () => {
		const yaml = '# An app.\napp:\n  # Its name.\n  name: a\n';
		assert.equal(placeText(yaml, '# Another name.\nname: b', 'yaml'), '# An app.\napp:\n  # Another name.\n  name: b\n');
	});

	it('returns nothing if there is no match, more than one, or only a partial one', () => {
		assert.equal(placeText(script, 'function other() {\n\treturn 1;\n}'), undefined);
		assert.equal(placeText('a:\n  title: x\nb:\n  title: y\n', 'title: z'), undefined);
		assert.equal(placeText(script, "export function greet() {\n\treturn 'Hi';\n}\n\ngreet();"), undefined);
		assert.equal(placeText(script, ''), undefined);
	});
});
