import path from 'node:path';
import { getNodeValue, type Node } from 'jsonc-parser';
import { findProperty, getValueRange, listProperties } from '#base/text/textFaults.ts';
import { readLocalText } from '#runs/request/localFiles.ts';
import type { SuiteJudge } from '../suite.ts';
import type { SuiteReading } from './readContext.ts';
import type { SuiteText } from './suiteText.ts';

/** Reads the judges of a suite with their rubrics, and adds them to the reading. Resolves to the texts of rubric files. */
export async function readJudges(node: Node | undefined, text: SuiteText, reading: SuiteReading): Promise<string> {
	const { root, t } = reading.context;
	const judges: Record<string, SuiteJudge> = {};
	const texts: string[] = [];
	const reportFault = (at: Node, code: 'local-file' | 'wrong-value', message: string) =>
		reading.reportFaults(text, { code, severity: 'error', path: ['judges'], ...getValueRange(at), message });
	for (const { name, value } of listProperties(node)) {
		const judge = getNodeValue(value!) as SuiteJudge;
		const checkNumber = (field: 'atLeast' | 'examples' | 'min_kappa', fits: (number: number) => boolean, message: string) => {
			const given = judge[field];
			if (given !== undefined && !fits(given)) {
				reportFault(findProperty(value, field)!, 'wrong-value', message);
			}
		};
		checkNumber('atLeast', number => number >= 0 && number <= 1, t("'atLeast' must be a number from 0 to 1."));
		checkNumber('min_kappa', number => number >= -1 && number <= 1, t("'min_kappa' must be a number from -1 to 1."));
		checkNumber(
			'examples',
			number => Number.isInteger(number) && number >= 0 && number <= 50,
			t("'examples' must be a whole number from 0 to 50."),
		);
		const file = findProperty(findProperty(value, 'rubric'), '$file');
		try {
			const rubric = file ? await readLocalText(file.value as string, { folder: path.dirname(text.file), root }, t) : judge.rubric;
			texts.push(...(file ? [rubric] : []));
			judges[name] = { ...judge, rubric };
		} catch (error) {
			reportFault(file!, 'local-file', (error as Error).message);
		}
	}
	reading.judges = judges;
	return texts.join('\0');
}
