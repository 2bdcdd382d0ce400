export { MathsProblemsError } from './errors.js';
export { extractAnswer, verifyAnswer } from './extract-answer.js';
export { generateProblems, type MathsProblem } from './generate-problems.js';
export { loadProblems } from './load-problems.js';
export { createMathsCustomers } from './maths-customers.js';
export {
  answerOf,
  builtInMaths,
  createMathsDomain,
  generateMathsTasks,
  problemTask,
} from './maths-domain.js';
export { verifyMaths } from './verify-maths.js';
