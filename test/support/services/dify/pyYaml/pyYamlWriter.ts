import { LineWriter } from './lineWriter.ts';
import { chooseStyle, isMultiline } from './scalarStyles.ts';

/**
 * Formats a value like PyYAML's `yaml.dump(value, allow_unicode=True)`, which Dify uses: keys sorted by code points, block style, 80
 * columns. Not supported: anchors of repeated values (Dify's values have been through JSON), and integers above 2^53.
 */
export function dumpPyYaml(value: unknown): string {
	const writer = new LineWriter();
	writeNode(writer, value, { mapping: false, root: true });
	return `${writer.text}\n`;
}

function writeNode(writer: LineWriter, value: unknown, at: { readonly mapping: boolean; readonly root?: boolean }): void {
	if (Array.isArray(value) && value.length > 0) {
		writeSequence(writer, value, at);
	} else if (isMapping(value) && Object.keys(value).length > 0) {
		writeMapping(writer, value, at);
	} else if (Array.isArray(value) || isMapping(value)) {
		writer.writeIndicator(Array.isArray(value) ? '[]' : '{}', { space: true });
	} else {
		writeScalar(writer, value, false, at.root);
	}
}

function writeSequence(writer: LineWriter, items: readonly unknown[], at: { readonly mapping: boolean; readonly root?: boolean }): void {
	writeIndented(writer, at.root || (at.mapping && !writer.indention) ? 0 : 2, () => {
		for (const item of items) {
			writer.startBlockLine();
			writer.writeIndicator('-', { space: true, indention: true });
			writeNode(writer, item, { mapping: false });
		}
	});
}

function writeMapping(writer: LineWriter, values: Record<string, unknown>, at: { readonly root?: boolean }): void {
	writeIndented(writer, at.root ? 0 : 2, () => {
		for (const [key, value] of Object.entries(values).sort(([a], [b]) => compareCodePoints(a, b))) {
			writer.startBlockLine();
			if (key !== '' && Array.from(key).length < 128 && !isMultiline(key)) {
				writeScalar(writer, key, true);
				writer.writeIndicator(':');
			} else {
				writer.writeIndicator('?', { space: true, indention: true });
				writeScalar(writer, key, false);
				writer.startBlockLine();
				writer.writeIndicator(':', { space: true, indention: true });
			}
			writeNode(writer, value, { mapping: true });
		}
	});
}

function writeScalar(writer: LineWriter, value: unknown, simpleKey: boolean, root = false): void {
	writeIndented(writer, root ? 0 : 2, () => {
		if (typeof value === 'string') {
			writer.writeScalar(value, chooseStyle(value, { simpleKey }), !simpleKey);
		} else {
			writer.writeScalar(
				value === null || value === undefined ? 'null' : typeof value === 'boolean' ? String(value) : formatNumber(value),
				'plain',
				!simpleKey,
			);
		}
	});
}

/** Formats a number like Python's `repr`, with the decimal point that PyYAML adds. */
function formatNumber(value: unknown): string {
	const plain = Number(value);
	if (!Number.isFinite(plain)) {
		return Number.isNaN(plain) ? '.nan' : plain < 0 ? '-.inf' : '.inf';
	}
	const whole = value instanceof Number && Number.isInteger(plain) ? formatWholeFloat(plain) : undefined;
	const text = whole ?? (plain !== 0 && Math.abs(plain) < 1e-4 ? formatExponential(plain) : String(plain));
	return !text.includes('.') && text.includes('e') ? text.replace('e', '.0e') : text;
}

function formatWholeFloat(value: number): string {
	return Math.abs(value) >= 1e16 ? formatExponential(value) : `${Object.is(value, -0) ? '-0' : value}.0`;
}

function formatExponential(value: number): string {
	return value.toExponential().replace(/e([-+])(\d)$/, 'e$10$2');
}

function writeIndented(writer: LineWriter, more: number, write: () => void): void {
	writer.indent += more;
	write();
	writer.indent -= more;
}

function isMapping(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Number);
}

function compareCodePoints(a: string, b: string): number {
	const [left, right] = [Array.from(a, each => each.codePointAt(0) ?? 0), Array.from(b, each => each.codePointAt(0) ?? 0)];
	const at = left.findIndex((code, index) => code !== right[index]);
	return at < 0 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? -1);
}
