// The words of friendly names in English.
import { type NameWords, wordsOf } from './words.ts';

export const en: NameWords = {
  adjectives: wordsOf(`
    Agile Alert Amber Artful Azure Brave Breezy Bright Calm Careful Cheerful Clever Coral Cosmic Crimson Curious
    Dapper Daring Dashing Eloquent Emerald Faithful Fearless Friendly Gallant Generous Gentle Gifted Glad Graceful
    Happy Helpful Honest Hopeful Indigo Inventive Jolly Joyful Jubilant Keen Kind Lively Loyal Lucky Lunar Merry
    Mighty Musical Neat Nimble Noble Patient Peaceful Playful Plucky Polite Proud Quick Quiet Radiant Reliable Scarlet
    Serene Sincere Skilful Smart Smiling Solar Speedy Spirited Steady Stellar Sunny Swift Tactful Thankful Tidy
    Tireless Trusty Upbeat Valiant Vigilant Violet Vivid Watchful Wise Witty`),
  nouns: wordsOf(`
    Albatross Alpaca Antelope Badger Bear Bison Buffalo Butterfly Chipmunk Cricket Deer Dolphin Dragonfly Eagle Falcon
    Ferret Finch Firefly Flamingo Fox Gazelle Gecko Giraffe Hamster Hare Hawk Hedgehog Heron Iguana Jaguar Kangaroo
    Kingfisher Kiwi Koala Ladybird Lark Lemur Leopard Lion Llama Lobster Lynx Marmot Meerkat Moose Narwhal Nightingale
    Octopus Osprey Otter Owl Panda Pelican Penguin Pony Raven Reindeer Robin Salmon Squirrel Stork Swan Tiger Tortoise
    Toucan Turtle Wallaby Wolf Wombat Wren Yak Zebra`),
  order: 'adjective first',
};
