// Prints the one closing line that CI reads, from vitest's JSON report. Fails when no test ran.
import { readFileSync } from 'node:fs';

const report = JSON.parse(readFileSync(new URL('../coverage/results.json', import.meta.url), 'utf8'));
const skipped = report.numPendingTests + report.numTodoTests;
console.log(`${report.numPassedTests} passed, ${report.numFailedTests} failed, ${skipped} skipped`);
if (report.numPassedTests === 0) process.exit(1);
