import type { ProductSpec } from './product-spec.js';

export const LEISURE: readonly ProductSpec[] = [
  {
    name: 'Backpack',
    basePrice: 59.95,
    options: {
      capacity: { '20 liter': 0, '30 liter': 14.35, '40 liter': 29.5 },
      color: { black: 0, navy: 0, olive: 0 },
      material: { nylon: 0, canvas: 8.26, leather: 86.4 },
    },
  },
  {
    name: 'Suitcase',
    basePrice: 108.95,
    options: {
      size: { 'carry on': 0, medium: 34.25, large: 61.5 },
      shell: { 'hard shell': 18.4, 'soft shell': 0 },
      color: { black: 0, silver: 0, red: 0 },
    },
  },
  {
    name: 'Tent',
    basePrice: 142.49,
    options: {
      capacity: { '2 people': 0, '4 people': 78.5, '6 people': 149.25 },
      season: { 'three season': 0, 'four season': 93.41 },
      color: { green: 0, orange: 0 },
    },
  },
  {
    name: 'Sleeping Bag',
    basePrice: 74.95,
    options: {
      filling: { synthetic: 0, 'goose down': 92.35 },
      length: { regular: 0, 'extra long': 11.5 },
      rating: { summer: 0, winter: 36.24 },
    },
  },
  {
    name: 'Yoga Mat',
    basePrice: 26.95,
    options: {
      thickness: { '4 mm': 0, '6 mm': 6.4, '8 mm': 11.25 },
      material: { PVC: 0, cork: 18.6, rubber: 14.37 },
      color: { purple: 0, teal: 0, gray: 0 },
    },
  },
  {
    name: 'Dumbbell Set',
    basePrice: 57.49,
    options: {
      weight: { '10 pounds': 0, '20 pounds': 28.5, '40 pounds': 71.26 },
      coating: { neoprene: 4.4, rubber: 9.3, 'bare iron': 0 },
      rack: { 'rack included': 24.5, 'no rack': 0 },
    },
  },
  {
    name: 'Bicycle Helmet',
    basePrice: 48.95,
    options: {
      size: { small: 0, medium: 0, large: 0 },
      color: { white: 0, black: 0, yellow: 0 },
      style: { road: 0, mountain: 16.28 },
    },
  },
  {
    name: 'Skateboard',
    basePrice: 72.95,
    options: {
      deck: { maple: 0, bamboo: 12.45, plastic: 0 },
      length: { '28 inch': 0, '31 inch': 6.3 },
      design: { graphic: 5.5, plain: 0 },
    },
  },
  {
    name: 'Tennis Racket',
    basePrice: 94.25,
    options: {
      grip: { 'grip 2': 0, 'grip 3': 0, 'grip 4': 0 },
      material: { graphite: 43.4, aluminum: 0 },
      level: { beginner: 0, advanced: 36.19 },
    },
  },
  {
    name: 'Jigsaw Puzzle',
    basePrice: 15.95,
    options: {
      pieces: { '500 pieces': 0, '1000 pieces': 5.3, '2000 pieces': 13.24 },
      theme: { animals: 0, landscape: 0, art: 0 },
      material: { cardboard: 0, wood: 19.5 },
    },
  },
  {
    name: 'Board Game',
    basePrice: 34.49,
    options: {
      genre: { strategy: 6.5, trivia: 0, cooperative: 4.27 },
      players: { '2 players': 0, '4 players': 0, '6 players': 7.4 },
      edition: { travel: 0, deluxe: 16.35 },
    },
  },
  {
    name: 'Acoustic Guitar',
    basePrice: 178.95,
    options: {
      top: { spruce: 0, cedar: 28.5, mahogany: 17.36 },
      size: { 'full size': 0, 'three quarter': 0 },
      strings: { steel: 0, nylon: 0 },
    },
  },
  {
    name: 'Garden Hose',
    basePrice: 29.95,
    options: {
      length: { '25 feet': 0, '50 feet': 13.4, '100 feet': 32.25 },
      material: { vinyl: 0, rubber: 15.48 },
      color: { green: 0, black: 0 },
    },
  },
  {
    name: 'Patio Umbrella',
    basePrice: 84.95,
    options: {
      diameter: { '7 feet': 0, '9 feet': 27.35, '11 feet': 61.5 },
      color: { beige: 0, blue: 0, red: 0 },
      tilt: { 'push button': 14.21, 'no tilt': 0 },
    },
  },
];
