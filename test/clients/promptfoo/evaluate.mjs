// Runs promptfooconfig.yaml of the working folder with promptfoo, and writes the results to out.json: node evaluate.mjs FOLDER
//
// The program `promptfoo` does the same, but needs the native database of its optional packages, which take two gigabytes.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const promptfoo = createRequire(path.join(process.argv[2], 'package.json')).resolve('promptfoo');
const [{ default: api }, yaml] = await Promise.all([
	import(pathToFileURL(promptfoo).href),
	import(pathToFileURL(createRequire(promptfoo).resolve('js-yaml')).href),
]);
const config = yaml.load(fs.readFileSync('promptfooconfig.yaml', 'utf8'));
const evaluation = await api.evaluate({ ...config, writeLatestResults: false }, { cache: false, showProgressBar: false });
const { results } = await evaluation.toEvaluateSummary();
fs.writeFileSync('out.json', JSON.stringify(results));
process.exit(0);
